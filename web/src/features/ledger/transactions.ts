import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { TRANSACTIONS } from "../../api/queries";

/** What a movement is about, where somebody says that it is wrong: an entry and a withdrawal are one thing, whatever moved. */
export function aboutOf(id: string): { kind: "payment" | "withdrawal" | "entry"; id: string } {
  const [kind = "", of = ""] = id.split("#", 2);
  if (kind.startsWith("withdrawal")) return { kind: "withdrawal", id: of };
  return kind === "entry" ? { kind, id: of } : { kind: "payment", id };
}

export type Transaction = Schemas["Transaction"];

/** Whether `all`, newest first, has a withdrawal's money come back: then no tax was kept of it. */
export function isGivenBack({ _id, kind }: Transaction, all: readonly Transaction[]): boolean {
  const { id } = aboutOf(_id);
  const back = [`withdrawal-rejected#${id}`, `correction#${id}-failed`];
  return kind === "withdrawal" && all.some((movement) => back.includes(movement._id));
}

export const transactionsQuery = listQuery<Transaction>(TRANSACTIONS, (query, signal) =>
  api.GET("/api/me/transactions", { params: { query }, signal }),
);
