import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { msg } from "../../lib/i18n";

export type HeldItem = Schemas["HeldItem"];

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
