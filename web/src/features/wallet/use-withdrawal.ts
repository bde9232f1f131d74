import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client";
import { showWallet } from "../../api/queries";
import { answerOf, explain } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import { useSubmit } from "../../lib/use-submit";

export type WithdrawalOutcome = { done: string } | { problem: string } | null;

/** Asks for money out. It leaves the wallet at once and is sent by hand; the answer says the new balance. */
export function useWithdrawal() {
  const client = useQueryClient();
  const key = useRef(new SubmitKey());
  const [outcome, setOutcome] = useState<WithdrawalOutcome>(null);
  const { busy, submit } = useSubmit();

  const withdraw = (mpesaNumber: string, amount: number) =>
    submit(async () => {
      setOutcome(null);
      const body = { mpesaNumber, amount };
      try {
        const answer = await key.current.submit(body, (idempotencyKey) =>
          answerOf(api.POST("/api/withdraw", { body, headers: { "Idempotency-Key": idempotencyKey } })),
        );
        showWallet(client, answer.walletBalance);
        setOutcome({ done: "Withdrawal request submitted successfully!" });
      } catch (error) {
        const problem = explain(error, {
          refused: "Withdrawal failed",
          failed: "An error occurred while submitting withdrawal.",
        });
        setOutcome({ problem });
      }
    });

  return { outcome, busy, withdraw, forget: () => setOutcome(null) };
}
