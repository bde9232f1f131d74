import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { LEAGUES } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import type { Amount } from "../../lib/amounts";

export type League = Schemas["LeagueView"];

const EVERY_MINUTE_MS = 60_000;

/** The leagues of one gameweek and amount (KES), page by page: the same for everybody. */
export const leaguesQuery = (gameweek: number, entryAmount: Amount) =>
  listQuery<League>(
    [...LEAGUES, gameweek, entryAmount],
    (page, signal) => api.GET("/api/leagues", { params: { query: { gameweek: String(gameweek), entryAmount, ...page } }, signal }),
    EVERY_MINUTE_MS,
  );

/** The player's own league of one gameweek and amount; null where there is none. */
export const ownLeagueQuery = (gameweek: number, entryAmount: Amount) =>
  queryOptions({
    queryKey: [...LEAGUES, "own", gameweek, entryAmount],
    queryFn: async ({ signal }) => {
      const query = { gameweek: String(gameweek), entryAmount };
      return (await answerOf(api.GET("/api/me/league", { params: { query }, signal }))).league ?? null;
    },
    refetchInterval: EVERY_MINUTE_MS,
  });

/** One team's points, where its league does not carry them yet; the league brings what is newer. */
export const pointsQuery = (fplId: string, gameweek: number) =>
  queryOptions({
    queryKey: ["points", gameweek, fplId],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/points/{fplId}", { params: { path: { fplId }, query: { gameweek } }, signal })),
    staleTime: EVERY_MINUTE_MS,
    retry: false,
  });
