import { Button, Loader } from "@aws-amplify/ui-react";
import { Notice } from "../../components/Notice";
import { dayName } from "../../lib/time";
import type { Table } from "./use-table";

type Props = {
  table: Table;
  /** How much of it has come, in percent, where that can be told. */
  percent?: (day: string | null) => number;
};

/** How far a table is, that it is saved, or that it broke off and can be gone on with. */
export function TableProgress({ table: { soFar, problem, saved, busy, goOn, stop }, percent }: Props) {
  const rows = soFar?.rows === 1 ? "1 row" : `${soFar?.rows ?? 0} rows`;
  const far = `${rows} so far${soFar?.day ? `, up to ${dayName(soFar.day)}` : ""}.`;
  return (
    <>
      {busy && (
        <div className="stack">
          <Loader
            variation="linear"
            {...(percent ? { isDeterminate: true, percentage: percent(soFar?.day ?? null) } : {})}
            isPercentageTextHidden
            aria-label="How much of the table has come"
          />
          <p className="quiet">{far}</p>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
      {problem && (
        <>
          <Notice tone="error">{problem}</Notice>
          <div className="actions">
            <Button onClick={stop}>Give up</Button>
            <Button onClick={goOn}>{soFar ? `Go on after ${rows}` : "Try again"}</Button>
          </div>
        </>
      )}
      {saved && <Notice tone="success">Saved {saved}</Notice>}
    </>
  );
}
