import { useState } from "react";
import { explain } from "../../api/refusal";
import { useSubmit } from "../../lib/use-submit";

/** What came of the admin's last act here. */
export type ActOutcome = { done: string } | { problem: string } | null;

/** One act at a time; what happened is said, and a failure logged too (spec section 8). */
export function useAct() {
  const [outcome, setOutcome] = useState<ActOutcome>(null);
  const { busy, submit } = useSubmit();

  /** `work` answers with what to say; `refused` is said where the server gave no reason. */
  const act = (work: () => Promise<string>, refused: string) =>
    submit(async () => {
      setOutcome(null);
      try {
        setOutcome({ done: await work() });
      } catch (error) {
        console.error(error);
        setOutcome({ problem: explain(error, { refused, failed: "No answer came. Refresh, and see whether it was done." }) });
      }
    });

  return { outcome, busy, act };
}
