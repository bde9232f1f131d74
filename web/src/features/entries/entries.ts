import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { ksh } from "../../lib/money";

export type Entry = Schemas["EntryView"];

export const entriesQuery = queryOptions({
  queryKey: ["entries"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/entries", { signal })),
});

/** How an entry stands, in words: what it brought once that is known. */
export function standingOf({ prize, refund, rank, points, league }: Entry): string {
  if (prize > 0) return `Won ${ksh(prize)}`;
  if (refund > 0) return `Refunded ${ksh(refund)}`;
  if (rank !== null && rank !== undefined) return `Rank ${rank} with ${points ?? 0} points`;
  return league ? "In play" : "Waiting for the draw";
}
