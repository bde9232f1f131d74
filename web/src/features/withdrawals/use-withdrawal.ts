import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client";
import { showWallet } from "../../api/queries";
import { answerOf, explain, isCertain } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import type { Trouble } from "../../components/Problem";
import { useSubmit } from "../../lib/use-submit";

/** `amount` in KES and where it goes are what was sent. */
export type WithdrawalOutcome = { done: string; amount: number; mpesaNumber: string; waitsUntil: string | null } | { trouble: Trouble } | null;

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
        const waitsUntil = answer.waitsUntil ?? null;
        setOutcome({ done: "Withdrawal request submitted successfully!", amount, mpesaNumber, waitsUntil });
      } catch (error) {
        const text = explain(error, {
          refused: "Withdrawal failed",
          failed: "An error occurred while submitting withdrawal.",
        });
        const money = isCertain(error) ? "Nothing left your wallet." : "Send it again as it is: it is taken only once.";
        setOutcome({ trouble: { text, money } });
      }
    });

  return { outcome, busy, withdraw, forget: () => setOutcome(null) };
}
