import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../../api/client";
import { gameweeksQuery, gameweekStatusQuery } from "../../../api/queries";
import { answerOf, explain, isCertain } from "../../../api/refusal";
import { poll } from "../../../lib/poll";
import { useSubmit } from "../../../lib/use-submit";
import { owedQuery, previewQuery } from "../../../panel/winners-preview";

const PROGRESS_MS = 2_000;
/** A minute: what takes longer waits for somebody, and the panel shows that by itself. Each later call would be an act. */
const ATTEMPTS = 29;

const processWinners = (gameweek?: number, signal: AbortSignal | null = null) =>
  answerOf(api.POST("/api/gameweek/process-winners", { body: gameweek === undefined ? {} : { gameweek }, signal }));

export type Progress = Awaited<ReturnType<typeof processWinners>>;

const isSettled = (progress: Progress) => progress.state === "settled";

/** Ends the gameweek, then follows how its winners are paid: called again, the call tells how far it is. */
export function useSettling() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();
  const following = useRef<AbortController>(null);
  useEffect(() => () => following.current?.abort(), []);

  const follow = async (gameweek: number) => {
    following.current?.abort();
    const { signal } = (following.current = new AbortController());
    const settled = await poll({
      ask: async (asking) => {
        const now = await processWinners(gameweek, asking);
        if (!asking.aborted) setProgress(now);
        return isSettled(now) ? now : null;
      },
      everyMs: PROGRESS_MS,
      attempts: ATTEMPTS,
      signal,
    });
    if (signal.aborted) return;
    await reread();
    // What waits is shown, as it goes on, by what there is to settle: this would stay as it is now.
    if (!settled) setProgress(undefined);
  };
  const reread = () =>
    Promise.all([gameweekStatusQuery, gameweeksQuery, previewQuery, owedQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));

  /** The gameweek that was shown; without one, the server's choice. */
  const endGameweek = (gameweek?: number) =>
    submit(async () => {
      setProblem(undefined);
      try {
        const first = await processWinners(gameweek);
        setProgress(first);
        await reread();
        if (!isSettled(first)) void follow(first.gameweek);
      } catch (error) {
        console.error(error);
        // Where no answer came it may have been done.
        const failed = "No answer came. What there is to settle is read again: see there whether it was done.";
        const refused = isCertain(error) ? "Failed to process gameweek. See console for details." : failed;
        setProblem(explain(error, { refused, failed }));
        setProgress(undefined);
        void reread();
      }
    });

  return { progress, problem, busy, endGameweek };
}
