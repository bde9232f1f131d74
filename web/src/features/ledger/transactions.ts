import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { TRANSACTIONS } from "../../api/queries";

export type Transaction = Schemas["Transaction"];

export const transactionsQuery = listQuery<Transaction>(TRANSACTIONS, (query, signal) =>
  api.GET("/api/me/transactions", { params: { query }, signal }),
);
