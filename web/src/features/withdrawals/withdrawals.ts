import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { eastAfricaTime } from "../../lib/time";

export type Withdrawal = Schemas["WithdrawalItem"];

/** A player's own withdrawals, newest first. */
export const withdrawalsQuery = listQuery<Withdrawal>(["my-withdrawals"], (query, signal) =>
  api.GET("/api/withdraw", { params: { query }, signal }),
);

const STATES: Record<string, string> = {
  pending: "Waiting to be sent",
  done: "Sent to M-Pesa",
  rejected: "Rejected: the money is back in your wallet",
};

/** What M-Pesa has said after it had ended. */
const CORRECTED: Record<string, string> = {
  paid: "Sent to M-Pesa: the money that had gone back was taken again",
  failed: "Not sent after all: the money is back in your wallet",
};

/** How far one is; while M-Pesa has it in hand nobody else can decide it. */
export const stateOf = ({ status, payout, corrected }: Withdrawal) =>
  CORRECTED[corrected ?? ""] ?? (status === "pending" && payout === "sent" ? "M-Pesa is sending it" : (STATES[status] ?? status));

/** Why it waits, where it is to a number that is not the player's own. */
export const waitOf = ({ status, payout, waitsUntil }: Withdrawal) =>
  status === "pending" && !payout && waitsUntil
    ? `Not before ${eastAfricaTime(new Date(waitsUntil))}: you have not paid from this number for a day.`
    : null;
