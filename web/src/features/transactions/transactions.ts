import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";

export type Transaction = Schemas["Transaction"];

export const transactionsQuery = listQuery<Transaction>(["transactions"], (query, signal) =>
  api.GET("/api/me/transactions", { params: { query }, signal }),
);

const NAMES: Record<string, string> = {
  deposit: "Deposit by M-Pesa",
  manual: "Top-up by M-Pesa code",
  entry: "League entry",
  prize: "Prize",
  refund: "Refund",
  withdrawal: "Withdrawal",
  "withdrawal-done": "Withdrawal sent",
  "withdrawal-rejected": "Withdrawal returned",
};

/** What a movement was; one that is newer than this page by the name it has. */
export const nameOf = (kind: string) => NAMES[kind] ?? kind;
