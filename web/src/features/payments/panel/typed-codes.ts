import { useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { listQuery, useList } from "../../../api/list";
import { answerOf } from "../../../api/refusal";
import { useExcise } from "../../../api/use-excise";
import { ksh, parseAmount } from "../../../lib/money";
import { parsed, refused, type Parsed } from "../../../lib/parsed";
import { eastAfricaTime } from "../../../lib/time";
import { unlessProposed } from "../../../panel/unless-proposed";
import { useAct } from "../../../panel/use-act";
import { creditedInFull } from "./credited-by";
import { creditedInWords } from "./excise";

export type TypedCode = Schemas["ManualPaymentItem"];

export const pendingQuery = listQuery<TypedCode>(
  ["manual-payments"],
  (query, signal) => api.GET("/api/manual-payment/pending", { params: { query }, signal }),
  30_000,
);
export const paymentId = (payment: TypedCode) => payment._id;

const TAKEN_BACK = "M-Pesa has taken this payment back.";

/** What an admin may confirm a payment with (spec §5), in KES. */
export function readConfirmedAmount(typed: string): Parsed<number> {
  const amount = parseAmount(typed);
  return amount === null ? refused("Please enter a valid amount.") : parsed(amount);
}

/** What M-Pesa says of a code, for the admin to hold against the player's word; null where why it waits says it all. */
export function knownOf({ known, waitsBecause }: TypedCode): string | null {
  if (!known) return null;
  const { source, completed, toUs, amount, payerName, payerPhone, accountReference, accountOf } = known;
  // It may be one that M-Pesa does not know yet (docs/decisions.md, "M-Pesa does not know a code").
  if (!completed) return waitsBecause === TAKEN_BACK ? null : "M-Pesa has found no completed payment under this code so far. Look into its portal.";
  const parts = [
    `M-Pesa ${source === "confirmation" ? "confirmed" : "says"}: ${amount ? ksh(amount) : "paid"}`,
    payerName || payerPhone ? `from ${[payerName, payerPhone].filter(Boolean).join(", ")}` : null,
    accountReference ? `for account ${accountReference}${accountOf ? `, which is ${accountOf}'s` : ""}` : null,
    toUs ? null : "but not to us",
  ];
  return `${parts.filter(Boolean).join(" ")}.`;
}

/** A prompt that a code may belong to, the player's own or somebody else's. */
export function promptOf(prompt: Schemas["PossiblePrompt"], payment: TypedCode): string {
  const whose = prompt.userId === payment.userId ? "The player's prompt" : "Another player's prompt";
  const state = prompt.state.toLowerCase().replace("_", " ");
  const held = prompt.holdsBack ? ": a confirmation with this amount is refused while it stands." : ".";
  return `${whose} of ${ksh(prompt.amount)}, ${state}, ${eastAfricaTime(new Date(prompt.at))}${held}`;
}

/** What rejecting a code does: what credited its receipt before stays, unless M-Pesa has taken that back. */
export function rejectionOf({ username, creditedBy, creditedTo }: TypedCode): string {
  if (!creditedBy) return `Nothing is credited to ${username}, who can send the same code in again.`;
  const before = `This code was credited before, by ${creditedInFull(creditedBy, creditedTo)}.`;
  return creditedTo?.takenBackAt ? `${before} Nothing more is credited for it.` : `${before} That stays; nothing more is credited for it.`;
}

/** The typed codes that wait, and what can be done with one. */
export function useTypedCodes() {
  const client = useQueryClient();
  const list = useList(pendingQuery, paymentId);
  const percent = useExcise();
  const { outcome, busy, act, forget } = useAct();
  const reread = () => client.invalidateQueries({ queryKey: pendingQuery.queryKey });

  const confirm = async ({ _id, userId, username, mpesaCode }: TypedCode, amount: number) => {
    const done = await act(async () => {
      const answer = await answerOf(api.POST("/api/manual-payment/confirm", { body: { paymentId: _id, userId, amount } }));
      return unlessProposed(answer, () => creditedInWords(amount, percent, `to ${username} for ${mpesaCode}`));
    }, "The payment could not be confirmed. Nothing was credited.");
    void reread();
    return done;
  };

  const reject = async ({ _id, username, mpesaCode }: TypedCode, reason: string) => {
    const body = { paymentId: _id, ...(reason ? { reason } : {}) };
    const done = await act(async () => {
      const { creditedBy, creditedTo } = await answerOf(api.POST("/api/manual-payment/reject", { body }));
      const credited = creditedBy ? `It was credited before, by ${creditedInFull(creditedBy, creditedTo)}.` : "Nothing was credited.";
      return `${mpesaCode} of ${username} is rejected. ${credited}`;
    }, "The payment could not be rejected. Nothing has changed.");
    void reread();
    return done;
  };

  return { list, outcome, busy, forget, confirm, reject };
}
