import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";

export type League = Schemas["LeagueView"];
/** What an entry may cost, in KES. */
export type Amount = 50 | 100 | 250;

/** The leagues of one gameweek and amount (KES), page by page; the caller's own comes first. */
export const leaguesQuery = (gameweek: number, entryAmount: Amount) =>
  infiniteQueryOptions({
    queryKey: ["leagues", gameweek, entryAmount],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { gameweek, entryAmount, ...(cursor ? { cursor } : {}) };
      const call = api.GET("/api/leagues", { params: { query }, signal });
      const leagues = await answerOf(call);
      return { leagues, next: (await call).response.headers.get("x-next-cursor") };
    },
    getNextPageParam: (page) => page.next,
    refetchInterval: 60_000,
  });

export const pointsQuery = (fplId: string, gameweek: number) =>
  queryOptions({
    queryKey: ["points", gameweek, fplId],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/points/{fplId}", { params: { path: { fplId }, query: { gameweek } }, signal })),
    staleTime: 60_000,
    retry: false,
    // What is final does not change any more.
    refetchInterval: ({ state }) => (state.data?.status === "final" ? false : 120_000),
  });
