import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { listQuery } from "../../api/list";
import { LEAGUES } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import type { Amount } from "../../lib/amounts";

export type League = Schemas["LeagueView"];

export type Team = NonNullable<Schemas["Points"]["team"]>;
export type Footballer = Team["players"][number];

const EVERY_MINUTE_MS = 60_000;
/** Between matches it only waits for the next one. */
const BETWEEN_MATCHES_MS = 5 * EVERY_MINUTE_MS;

/** Until the draw; what is drawn refreshes itself, card by card, where it is seen, and the list changes no more. */
const paceOf = (leagues: readonly League[]) =>
  (leagues.length === 0 || leagues.some(({ state }) => state === "provisional")) && EVERY_MINUTE_MS;

/** The leagues of one gameweek and amount (KES), page by page: the same for everybody. */
export const leaguesQuery = (gameweek: number, entryAmount: Amount) =>
  listQuery<League>(
    [...LEAGUES, gameweek, entryAmount],
    (page, signal) => api.GET("/api/leagues", { params: { query: { gameweek: String(gameweek), entryAmount, ...page } }, signal }),
    paceOf,
  );

/** One league while it is played, with captains and how many are still to come; null where it is not told. */
export const liveQuery = (league: League, gameweek: number, entryAmount: Amount) =>
  queryOptions({
    queryKey: [...LEAGUES, "live", gameweek, entryAmount, league._id],
    queryFn: async ({ signal }) => {
      const query = { gameweek: String(gameweek), entryAmount, league: String(league.number) };
      const one = (await answerOf(api.GET("/api/leagues", { params: { query }, signal }))).find(({ _id }) => _id === league._id);
      return one?.playing === undefined ? null : one;
    },
    ...pace((one: League | null) => one?.state === "settled", (one) => one?.playing),
  });

/** A team on the pitch, as it was drawn into the league: whoever has it by now. */
export const teamQuery = (fplId: string, league: string) =>
  queryOptions({
    queryKey: ["points", "team", league, fplId],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/points/{fplId}", { params: { path: { fplId }, query: { league, team: true } }, signal })),
    ...pace((points: Schemas["Points"]) => points.status === "final", (points) => points.team?.playing),
  });

/** Each minute while a match is on, now and then between matches, never once nothing changes; never while hidden. */
const pace = <T>(isFinal: (answer: T) => boolean, isOn: (answer: T) => boolean | null | undefined) => ({
  staleTime: EVERY_MINUTE_MS,
  refetchInterval: ({ state: { data } }: { state: { data: T | undefined } }) => {
    if (data !== undefined && isFinal(data)) return false as const;
    return data === undefined || isOn(data) ? EVERY_MINUTE_MS : BETWEEN_MATCHES_MS;
  },
});

/** The player's own league of one gameweek and amount, and the team that plays in it; null where there is none. */
export const ownLeagueQuery = (gameweek: number, entryAmount: Amount) =>
  queryOptions({
    queryKey: [...LEAGUES, "own", gameweek, entryAmount],
    queryFn: async ({ signal }) => {
      const query = { gameweek: String(gameweek), entryAmount };
      const { league, fplId } = await answerOf(api.GET("/api/me/league", { params: { query }, signal }));
      return league ? { league, fplId } : null;
    },
    // Who is in none comes into one by a join, and that is told.
    refetchInterval: ({ state: { data } }) => (data === null ? BETWEEN_MATCHES_MS : paceOf(data ? [data.league] : [])),
  });

/** One team's points, where its league does not carry them yet; the league brings what is newer. */
export const pointsQuery = (fplId: string, league: string) =>
  queryOptions({
    queryKey: ["points", league, fplId],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/points/{fplId}", { params: { path: { fplId }, query: { league } }, signal })),
    staleTime: EVERY_MINUTE_MS,
    retry: false,
  });
