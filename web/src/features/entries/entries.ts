import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { ENTRIES } from "../../api/queries";
import { answerOf } from "../../api/refusal";

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

/** The team that an entry was made with, by its line in the draw's list; undefined where it has none. */
export const teamOf = ({ line }: Entry): string | undefined => line?.split(" ")[1];

/** A season as people write it: 2026/27. */
export const seasonName = (season: number) => `${season}/${String((season + 1) % 100).padStart(2, "0")}`;
