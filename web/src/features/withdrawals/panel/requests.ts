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

/** Only what waits, and is not in M-Pesa's hands, can be decided. */
export const isDecidable = ({ status, payout }: Withdrawal) => status === "pending" && payout !== "sent";

const FLAGS: Record<string, string> = {
  "new-number": "To a number that is not the player's own.",
  "after-reset": "Asked for within a day of a password reset.",
  "never-played": "Takes out deposits that were never played.",
  suspended: "The player is suspended.",
  frozen: "The account is frozen: reject it, or unfreeze the account first.",
};

/** What to look at before it is paid. */
export const warningsOf = ({ flags }: Withdrawal) => (flags ?? []).map((flag) => FLAGS[flag] ?? flag);

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
    decide(w, { status: "rejected", reason }, `Rejected: ${ksh(w.amount)} is back in the wallet of ${w.username}.`);

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
