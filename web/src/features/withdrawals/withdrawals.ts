import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { currentSession } from "../../lib/session";
import { eastAfricaTime } from "../../lib/time";
import { msg, str } from "../../lib/i18n";

export type Withdrawal = Schemas["WithdrawalItem"];

const IN_HAND_MS = 10_000;
const LATER_MS = 60_000;
/** Two minutes of asking often; then M-Pesa is late, and data is prepaid. */
const OFTEN = 12;

/** Somebody's own withdrawals, newest first: an admin who names nobody gets everybody's. M-Pesa ends within seconds what it has in hand. */
export const withdrawalsQuery = listQuery<Withdrawal>(
  ["my-withdrawals"],
  (page, signal) => {
    const userId = currentSession()?.userId;
    return api.GET("/api/withdraw", { params: { query: { ...page, ...(userId && { userId }) } }, signal });
  },
  (items, reads) => items.some(isInHand) && (reads < OFTEN ? IN_HAND_MS : LATER_MS),
);

const isInHand = ({ status, payout }: Withdrawal) => status === "pending" && payout === "sent";

const states = (): Record<string, string> => ({
  pending: msg("Waiting to be sent"),
  done: msg("Sent to M-Pesa"),
  rejected: msg("Rejected: the money has come back"),
});

/** What M-Pesa has said after it had ended. */
const corrections = (): Record<string, string> => ({
  paid: msg("Sent to M-Pesa: the money that had gone back was taken again"),
  failed: msg("Not sent after all: the money has come back"),
});

/** Whether the money has come back: then no tax was kept of it. */
export const isGivenBack = ({ status, corrected }: Withdrawal) => corrected === "failed" || (status === "rejected" && !corrected);

/** How far one is; while M-Pesa has it in hand nobody else can decide it. */
export const stateOf = (withdrawal: Withdrawal) =>
  corrections()[withdrawal.corrected ?? ""] ?? (isInHand(withdrawal) ? msg("M-Pesa is sending it") : (states()[withdrawal.status] ?? withdrawal.status));

/** Why it waits, where it is to a number that is not the player's own. `now`: by the product's clock, null while that is not read. */
export function waitOf({ status, payout, waitsUntil }: Withdrawal, now: number | null): string | null {
  if (status !== "pending" || payout || !waitsUntil || (now !== null && Date.parse(waitsUntil) <= now)) return null;
  const time = eastAfricaTime(new Date(waitsUntil));
  return msg(str`Not before ${time}: it goes to a number that is not known as yours yet. If it was not you who asked, cancel it by the link in our mail.`);
}
