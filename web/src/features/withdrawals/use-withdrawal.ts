import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client";
import { moneyMoved, OWN_LIMITS, showWallet, TRANSACTIONS } from "../../api/queries";
import { answerOf, explain, isCertain, Refusal } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import type { Trouble } from "../../components/Problem";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";
import { withdrawalsQuery } from "./withdrawals";

/** `amount` in KES and where it goes are what was sent. */
export type WithdrawalOutcome =
  | { done: string; amount: number; mpesaNumber: string; waitsUntil: string | null }
  | { trouble: Trouble; /** It may have been taken all the same. */ unanswered: boolean; /** Proving the team is the way on. */ proves: boolean }
  | null;

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
        showWallet(client, { wallet: answer.walletBalance });
        for (const queryKey of [withdrawalsQuery.queryKey, TRANSACTIONS, OWN_LIMITS]) void client.invalidateQueries({ queryKey });
        const waitsUntil = answer.waitsUntil ?? null;
        setOutcome({ done: msg("Withdrawal request submitted successfully!"), amount, mpesaNumber, waitsUntil });
      } catch (error) {
        const text = explain(error, {
          refused: msg("Withdrawal failed"),
          failed: msg("An error occurred while submitting withdrawal."),
        });
        const unanswered = !isCertain(error);
        if (unanswered) {
          void client.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
          void moneyMoved(client);
        }
        const money = unanswered ? msg("Send it again as it is: it is taken only once.") : msg("Nothing left your wallet.");
        setOutcome({ trouble: { text, money }, unanswered, proves: error instanceof Refusal && (error.code === "team_unproved" || (error.told ?? "").includes("Prove that the team")) });
      }
    });

  return { outcome, busy, withdraw, forget: () => setOutcome(null) };
}
