import { useRef, useState } from "react";
import { api } from "../../api/client";
import { answerOf, explain, Refusal } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import { useSubmit } from "../../lib/use-submit";

export type CodeOutcome = { done: string } | { problem: string; unanswered: boolean } | null;

/** Sends a typed M-Pesa code in. Nothing is credited before it has been checked (spec section 4). */
export function useTypedCode() {
  const key = useRef(new SubmitKey());
  const [outcome, setOutcome] = useState<CodeOutcome>(null);
  const { busy, submit } = useSubmit();

  const send = (mpesaCode: string) =>
    submit(async () => {
      setOutcome(null);
      const body = { mpesaCode };
      try {
        const answer = await key.current.submit(body, (idempotencyKey) =>
          answerOf(api.POST("/api/manual-payment", { body, headers: { "Idempotency-Key": idempotencyKey } })),
        );
        setOutcome({ done: answer.message || "Success wallet updated shortly" });
      } catch (error) {
        const wrong = "Submission went wrong";
        const problem = explain(error, { refused: wrong, failed: wrong });
        setOutcome({ problem, unanswered: !(error instanceof Refusal && error.status < 500) });
      }
    });

  return { outcome, busy, send, forget: () => setOutcome(null) };
}
