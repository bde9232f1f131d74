import { useState } from "react";
import { explain, isCertain } from "../api/refusal";
import { useSubmit } from "../lib/use-submit";

/** What came of the admin's last act here. */
export type ActOutcome = { done: string } | { problem: string } | null;

/** The text of a failure, for the dialog that asked. */
export const problemOf = (outcome: ActOutcome) => (outcome && "problem" in outcome ? outcome.problem : undefined);

/** One act at a time; what happened is said, and a failure logged too (spec §8). */
export function useAct() {
  const [outcome, setOutcome] = useState<ActOutcome>(null);
  const { busy, submit } = useSubmit();

  /**
   * `work` answers with what to say; `refused` is said where the server gave no reason. Whether it was
   * done: a form that asked for it stays until then.
   */
  const act = async (work: () => Promise<string>, refused: string): Promise<boolean> => {
    let done = false;
    await submit(async () => {
      setOutcome(null);
      try {
        setOutcome({ done: await work() });
        done = true;
      } catch (error) {
        console.error(error);
        // A gateway's own 5xx says nothing of what was done.
        const failed = "No answer came. Refresh, and see whether it was done.";
        setOutcome({ problem: explain(error, { refused: isCertain(error) ? refused : failed, failed }) });
      }
    });
    return done;
  };

  return { outcome, busy, act, forget: () => setOutcome(null) };
}
