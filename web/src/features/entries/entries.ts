import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { ENTRIES } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import { ksh } from "../../lib/money";
import { msg, str } from "../../lib/i18n";

export type Entry = Schemas["EntryView"];

/** Pages of entries; each carries the total of all of them. */
export const entriesQuery = infiniteQueryOptions({
  queryKey: ENTRIES,
  initialPageParam: null as string | null,
  queryFn: async ({ pageParam, signal }) => {
    const query = pageParam ? { cursor: pageParam } : {};
    const call = api.GET("/api/me/entries", { params: { query }, signal });
    return { ...(await answerOf(call)), next: (await call).response.headers.get("x-next-cursor") };
  },
  getNextPageParam: (page) => page.next,
});

/** A season as people write it: 2026/27. */
export const seasonName = (season: number) => `${season}/${String((season + 1) % 100).padStart(2, "0")}`;

/** Whether it is not known yet what it brings. */
export const isInPlay = ({ prize, refund, rank }: Entry) => prize === 0 && refund === 0 && typeof rank !== "number";

/** How an entry stands, in words: what it brought once that is known. */
export function standingOf({ prize, refund, rank, points, league }: Entry): string {
  if (prize > 0) return msg(str`Won ${ksh(prize)}`);
  if (refund > 0) return msg(str`Refunded ${ksh(refund)}`);
  if (rank !== null && rank !== undefined) return msg(str`Rank ${rank} with ${points ?? 0} points`);
  return league ? msg("In play") : msg("Waiting for the draw");
}
