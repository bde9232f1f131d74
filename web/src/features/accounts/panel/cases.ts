import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { listQuery } from "../../../api/list";
import { answerOf } from "../../../api/refusal";
import { ksh } from "../../../lib/money";

export type WaitingCase = Schemas["SupportCase"];

const PACE_MS = 60_000;

/** What is not closed: what waits for an admin first. */
export const waitingCasesQuery = listQuery<WaitingCase>(
  ["waiting-cases"],
  (query, signal) => api.GET("/api/admin/cases", { params: { query }, signal }),
  PACE_MS,
);

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ["waiting-cases", "thread", id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/cases/{id}", { params: { path: { id } }, signal })),
    refetchInterval: PACE_MS,
  });

export const answerCase = (id: string, body: Schemas["NewCaseMessage"], key: string) =>
  answerOf(api.POST("/api/cases/{id}/messages", { params: { path: { id } }, body, headers: { "Idempotency-Key": key } }));

const KINDS: Record<WaitingCase["about"]["kind"], string> = {
  payment: "Payment",
  withdrawal: "Withdrawal",
  league: "League",
  entry: "Entry",
};

/** What a case is about: of a payment or a withdrawal how much, as its id says nothing to anybody. */
export const aboutOf = ({ about: { kind, id }, known }: WaitingCase) =>
  (kind === "payment" || kind === "withdrawal") && typeof known.amount === "number"
    ? `${KINDS[kind]} of ${ksh(Math.abs(known.amount))}`
    : `${KINDS[kind]} ${id}`;

export const stateInWords = ({ state, ageHours }: WaitingCase) => {
  const age = ageHours < 48 ? `${ageHours} h` : `${Math.floor(ageHours / 24)} d`;
  return { open: `has waited ${age} for an answer`, answered: `answered, ${age} ago`, closed: `closed, ${age} ago` }[state];
};
