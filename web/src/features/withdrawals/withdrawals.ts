import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { currentSession } from "../../lib/session";
import { eastAfricaTime } from "../../lib/time";
import { msg, str } from "../../lib/i18n";

export type Withdrawal = Schemas["WithdrawalItem"];

/** Somebody's own withdrawals, newest first: an admin who names nobody gets everybody's. */
export const withdrawalsQuery = listQuery<Withdrawal>(["my-withdrawals"], (page, signal) => {
  const userId = currentSession()?.userId;
  return api.GET("/api/withdraw", { params: { query: { ...page, ...(userId && { userId }) } }, signal });
});

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
export const stateOf = ({ status, payout, corrected }: Withdrawal) =>
  corrections()[corrected ?? ""] ?? (status === "pending" && payout === "sent" ? msg("M-Pesa is sending it") : (states()[status] ?? status));

/** Why it waits, where it is to a number that is not the player's own. */
export const waitOf = ({ status, payout, waitsUntil }: Withdrawal) =>
  status === "pending" && !payout && waitsUntil
    ? msg(str`Not before ${eastAfricaTime(new Date(waitsUntil))}: it goes to a number that is not known as yours yet. If it was not you who asked, cancel it by the link in our mail.`)
    : null;
