import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";

export type Transaction = Schemas["Transaction"];

export const transactionsQuery = listQuery<Transaction>(["transactions"], (query, signal) =>
  api.GET("/api/me/transactions", { params: { query }, signal }),
);
