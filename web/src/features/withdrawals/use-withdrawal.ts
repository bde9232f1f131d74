import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client";
import { moneyMoved, OWN_LIMITS, refreshWallet, showWallet, TRANSACTIONS } from "../../api/queries";
import { answerOf, explain, isCertain, Refusal } from "../../api/refusal";
import { DAY_MS, SubmitKey } from "../../api/submit-key";
import type { Trouble } from "../../components/Problem";
import { localDigits } from "../../lib/phone";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";
import { withdrawalsQuery } from "./withdrawals";

/** `amount` in KES and where it goes are what was sent. `again`: it had been sent before, and no answer came. */
export type WithdrawalOutcome =
  | { done: string; amount: number; mpesaNumber: string; waitsUntil: string | null; again: boolean }
  | { trouble: Trouble; /** It may have been taken all the same. */ unanswered: boolean; /** Proving the team is the way on. */ proves: boolean }
  | null;

/** Asks for money out. It leaves the wallet at once and is sent by hand; the answer says the new balance. */
export function useWithdrawal() {
  const client = useQueryClient();
  const key = useRef(new SubmitKey("withdraw", DAY_MS));
  const [outcome, setOutcome] = useState<WithdrawalOutcome>(null);
  const { busy, submit } = useSubmit();

  const withdraw = (mpesaNumber: string, amount: number) =>
    submit(async () => {
      setOutcome(null);
      const body = bodyOf(mpesaNumber, amount);
      const again = key.current.unanswered(body) !== undefined;
      try {
        const answer = await key.current.submit(body, (idempotencyKey) =>
          answerOf(api.POST("/api/withdraw", { body, headers: { "Idempotency-Key": idempotencyKey } })),
        );
        // One that was taken before is answered with the balance of then.
        if (again) void refreshWallet(client);
        else showWallet(client, { wallet: answer.walletBalance });
        for (const queryKey of [withdrawalsQuery.queryKey, TRANSACTIONS, OWN_LIMITS]) void client.invalidateQueries({ queryKey });
        const waitsUntil = answer.waitsUntil ?? null;
        setOutcome({ done: msg("Withdrawal request submitted successfully!"), amount, mpesaNumber, waitsUntil, again });
      } catch (error) {
        const text = explain(error, {
          refused: msg("Withdrawal failed"),
          failed: msg("An error occurred while submitting withdrawal."),
        });
        const unanswered = !isCertain(error) || key.current.unanswered(body) !== undefined;
        if (unanswered) {
          void client.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
          void moneyMoved(client);
        }
        const perhapsTaken = key.current.promises(body)
          ? msg("Send it again as it is, on this phone and without logging out before: for 10 hours it is taken only once. After that see Withdrawals first.")
          : msg("It may have been taken. See Withdrawals before you ask again.");
        const money = unanswered ? perhapsTaken : msg("Nothing left your wallet.");
        setOutcome({ trouble: { text, money }, unanswered, proves: error instanceof Refusal && (error.code === "team_unproved" || (error.told ?? "").includes("Prove that the team")) });
      }
    });

  /** Whether the same was sent before and has no answer yet: it is sent again as the same request. */
  const wasSent = (mpesaNumber: string, amount: number) => key.current.unanswered(bodyOf(mpesaNumber, amount)) !== undefined;
  return { outcome, busy, withdraw, wasSent, forget: () => setOutcome(null) };
}

/** One number is one text, however it was typed: the same again is the same request. */
const bodyOf = (mpesaNumber: string, amount: number) => ({ mpesaNumber: localDigits(mpesaNumber), amount });
