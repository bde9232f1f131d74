import { useEffect, useRef, useState } from "react";
import { explain, Refusal } from "../../api/refusal";
import { saveFile } from "../../lib/save-file";
import { useSubmit } from "../../lib/use-submit";
import { goOn, type LoadTable, type SoFar } from "./table-pages";

export type Wanted = { name: string; load: LoadTable };

/** One table as a file: loaded page by page, saved when it is whole, gone on with where it broke off. */
export function useTable() {
  const [soFar, setSoFar] = useState<SoFar | null>(null);
  const [problem, setProblem] = useState<string>();
  const [saved, setSaved] = useState<string>();
  const wanted = useRef<Wanted>(null);
  const running = useRef<AbortController>(null);
  const { busy, submit } = useSubmit();
  useEffect(() => () => running.current?.abort(), []);

  const run = ({ name, load }: Wanted, from: SoFar | null) =>
    submit(async () => {
      setProblem(undefined);
      setSaved(undefined);
      setSoFar(from);
      const { signal } = (running.current = new AbortController());
      try {
        const whole = await goOn(from, load, setSoFar, signal);
        if (!whole) return;
        saveFile(`${name}.csv`, whole.pages, "text/csv;charset=utf-8");
        setSaved(`${name}.csv: ${whole.rows === 1 ? "1 row" : `${whole.rows} rows`}.`);
        setSoFar(null);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Refusal)) console.error(error);
        setProblem(explain(error, { refused: "The table could not be made.", failed: "No answer came." }));
      }
    });

  return {
    soFar,
    problem,
    saved,
    busy,
    start: (table: Wanted) => {
      wanted.current = table;
      void run(table, null);
    },
    goOn: () => wanted.current && void run(wanted.current, soFar),
    stop: () => {
      running.current?.abort();
      setSoFar(null);
      setProblem(undefined);
    },
  };
}

export type Table = ReturnType<typeof useTable>;
