import { useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { listQuery, useList } from "../../../api/list";
import { answerOf } from "../../../api/refusal";
import { ksh } from "../../../lib/money";
import { unlessProposed } from "../../../panel/unless-proposed";
import { useAct } from "../../../panel/use-act";

export type Withdrawal = Schemas["WithdrawalItem"];

export const withdrawalsQuery = listQuery<Withdrawal>(
  ["withdrawals"],
  (query, signal) => api.GET("/api/withdraw", { params: { query }, signal }),
  (items) => (items.some(isInFlight) ? 5_000 : 30_000),
);
/** M-Pesa has it in hand, and says within seconds what became of it. */
function isInFlight({ status, payout }: Withdrawal) {
  return status === "pending" && payout === "sent";
}
export const withdrawalId = (withdrawal: Withdrawal) => withdrawal._id;

export type WithdrawalAct = "pay" | "done" | "reject";

/** Whether a time is known to be still to come, by the product's clock; while that is not read (null), none is. */
export const isAhead = (time: string | null | undefined, now: number | null) =>
  time ? now !== null && Date.parse(time) > now : false;

/**
 * What can be decided: only of what waits and is not in M-Pesa's hands. Before its time one is not paid; one that was said to
 * be sent by hand is another admin's to decide. While the time is not known the server refuses what is too early.
 */
export function actsOf({ status, payout, waitsUntil, saidSentUntil }: Withdrawal, now: number | null): readonly WithdrawalAct[] {
  if (status !== "pending" || payout === "sent") return [];
  const waits = isAhead(waitsUntil, now);
  const saidSent = isAhead(saidSentUntil, now);
  return (["pay", "done", "reject"] as const).filter((act) => !(waits && act !== "reject") && !(saidSent && act !== "done"));
}

/** Whether it waits to be paid: not before its time, nor while it is another admin's under Approvals. */
export const isPayable = (withdrawal: Withdrawal, now: number | null) => actsOf(withdrawal, now).includes("pay");

const FLAGS: Record<string, string> = {
  "new-number": "To a number that is not the player's own.",
  "after-reset": "Asked for within a day of a password reset.",
  "never-played": "Takes out deposits that were never played.",
  suspended: "The player is suspended.",
  frozen: "The account is frozen: reject it, or unfreeze the account first.",
};

/** What to look at before it is paid. */
export const warningsOf = ({ flags }: Withdrawal) => (flags ?? []).map((flag) => FLAGS[flag] ?? flag);

/** A wallet that owes something keeps less of it. */
const goneBack = ({ amount, username }: Withdrawal) => `${ksh(amount)} has gone back to ${username}; what they owe is paid of it first.`;

/** One player's, newest first, those that have ended too. */
export const withdrawalsOfQuery = (userId: string) =>
  listQuery<Withdrawal>([...withdrawalsQuery.queryKey, "of", userId], (query, signal) =>
    api.GET("/api/withdraw", { params: { query: { ...query, userId } }, signal }),
  );

/** The requests for money out, and what can be done with one. */
export function useWithdrawals() {
  const client = useQueryClient();
  const list = useList(withdrawalsQuery, withdrawalId);
  const { outcome, busy, act, forget } = useAct();
  const unchanged = "It could not be done. Nothing has changed.";

  const decide = async ({ _id }: Withdrawal, body: Schemas["WithdrawalUpdate"], said: string) => {
    const done = await act(async () => {
      const answer = await answerOf(api.PUT("/api/withdraw/{id}", { params: { path: { id: _id } }, body }));
      return unlessProposed(answer, () => said);
    }, unchanged);
    void client.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
    return done;
  };

  const markDone = (w: Withdrawal) =>
    decide(w, { status: "done" }, `The withdrawal of ${ksh(w.amount)} by ${w.username} is done.`);
  const reject = (w: Withdrawal, reason: string) =>
    decide(w, { status: "rejected", reason }, `Rejected: ${goneBack(w)}`);

  const pay = async ({ _id, pays, username }: Withdrawal) => {
    const done = await act(async () => {
      const answer = await answerOf(api.POST("/api/withdraw/{id}/pay", { params: { path: { id: _id } } }));
      const said = `M-Pesa was asked to pay ${ksh(pays)} to ${username}. It stays here until M-Pesa says what became of it.`;
      return unlessProposed(answer, () => said);
    }, "M-Pesa did not accept it. Nothing was sent.");
    void client.invalidateQueries({ queryKey: withdrawalsQuery.queryKey });
    return done;
  };

  // Done is done: it has left the list, whatever the answer still carries.
  const items = list.items?.filter((item) => item.status === "pending");
  return { list: { ...list, items }, outcome, busy, forget, markDone, reject, pay };
}
