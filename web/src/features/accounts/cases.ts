/** "Something is wrong?": a player's cases, what is known of each, and what is written in it. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { answerOf } from "../../api/refusal";
import { leagueNumber } from "../../lib/gameweek";
import { msg, str } from "../../lib/i18n";
import { ksh } from "../../lib/money";

export type Case = Schemas["SupportCase"];
export type Thread = Schemas["SupportCaseThread"];
export type About = Case["about"];
export type NewCase = Schemas["NewCase"];

export const LONGEST_TEXT = 1000;

export const casesQuery = listQuery<Case>(["cases"], (query, signal) => api.GET("/api/cases", { params: { query }, signal }));

const QUICKLY_MS = 30_000;

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ["cases", id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/cases/{id}", { params: { path: { id } }, signal })),
    refetchInterval: QUICKLY_MS,
  });

export const openCase = (body: NewCase, key: string) =>
  answerOf(api.POST("/api/cases", { body, headers: { "Idempotency-Key": key } }));

export const writeToCase = (id: string, body: Schemas["NewCaseMessage"], key: string) =>
  answerOf(api.POST("/api/cases/{id}/messages", { params: { path: { id } }, body, headers: { "Idempotency-Key": key } }));

const isKind = (kind: string | null): kind is About["kind"] =>
  kind === "payment" || kind === "withdrawal" || kind === "league" || kind === "entry";

/** What a link asks to be told about; null where it names nothing. */
export function askedAbout(query: URLSearchParams): About | null {
  const [kind, id] = [query.get("kind"), query.get("id")];
  return isKind(kind) && id ? { kind, id } : null;
}

/** What a case is about, in a few words. */
export function nameOf({ kind, id }: About): string {
  if (kind === "payment") return msg("A payment");
  if (kind === "withdrawal") return msg("A withdrawal");
  if (kind === "league") return msg(str`Group #${leagueNumber(id)}`);
  return msg(str`My entry of gameweek ${Number(id.slice(-2))}`);
}

/** The same with what is known of it. */
export const titleOf = ({ about, known }: Case): string =>
  typeof known.amount === "number" ? `${nameOf(about)} · ${ksh(Math.abs(known.amount))}` : nameOf(about);

export const stateOf = ({ state }: Case): string =>
  ({ open: msg("Waiting for our answer"), answered: msg("We have answered"), closed: msg("Closed") })[state];
