/** The account's sessions, what is held about its player, and its end. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf, asksForCode, explain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

export type OwnSession = Schemas["OwnSession"];
export type HeldItem = Schemas["HeldItem"];

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/sessions", { signal })),
});

/** Ends one session, or all but this one. */
export const endSession = (id: string) => answerOf(api.DELETE("/api/me/sessions/{id}", { params: { path: { id } } }));

async function pageOf(cursor: string | null): Promise<{ items: readonly HeldItem[]; next: string | null }> {
  const answer = await api.GET("/api/me/data", { params: { query: cursor === null ? {} : { cursor } } });
  const { items } = await answerOf(Promise.resolve(answer));
  return { items, next: answer.response.headers.get("x-next-cursor") };
}

/** Everything that is held, page after page. */
export async function ownData(): Promise<HeldItem[]> {
  const items: HeldItem[] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** What the parts of it are called, in the order in which they are shown; what is in none comes last. */
const PARTS = {
  account: ["USER#/PROFILE", "USER#/NOTIFICATIONS", "USER#/SESSION#", "USER#/PHONE#", "NUMBER#/OWN", "USER#/PROVED#", "USER#/LOST#"],
  money: ["USER#/WALLET", "USER#/POST#", "PAY#/PAY", "PAY#/EVENT#", "RECEIPT#/RECEIPT", "PAYBILL#/PAYBILL", "MANUAL#/MANUAL", "WITHDRAWAL#/WITHDRAWAL", "WITHDRAWAL#/EVENT#"],
  game: ["ENTRIES#/", "USER#/PLACE#", "DRAW#/UNPLACED#"],
  cases: ["USER#/CASE#", "USER#/MESSAGE#"],
  admins: ["AUDIT#"],
} as const;
export type Part = keyof typeof PARTS | "other";

export const partName = (part: Part): string =>
  ({
    account: msg("Your account"),
    money: msg("Your money"),
    game: msg("Your entries"),
    cases: msg("What you told us"),
    admins: msg("What was done by hand"),
    other: msg("The rest"),
  })[part];

export function byPart(items: readonly HeldItem[]): readonly (readonly [Part, readonly HeldItem[]])[] {
  const parts = Object.entries(PARTS) as [keyof typeof PARTS, readonly string[]][];
  const of = (item: HeldItem): Part => parts.find(([, kinds]) => kinds.includes(item.kind))?.[0] ?? "other";
  const names: Part[] = [...parts.map(([part]) => part), "other"];
  return names
    .map((part) => [part, items.filter((item) => of(item) === part)] as const)
    .filter(([, held]) => held.length > 0);
}

/** Closes the account. Answers when what is personal goes, or why it stays open. */
export async function closeAccount(password: string, code: string): Promise<{ erasedAt: string } | { error: string; codeWanted: boolean }> {
  try {
    return await answerOf(api.POST("/api/me/closure", { body: { password, code: code || null } }));
  } catch (error) {
    const failed = msg("Your account could not be closed just now. Please try again.");
    return {
      error: explain(error, { refused: failed, failed }),
      codeWanted: asksForCode(error),
    };
  }
}
