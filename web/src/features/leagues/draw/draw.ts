import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { pageOf } from "../../../api/list";
import { answerOf } from "../../../api/refusal";
import { amountOf } from "../../../lib/amounts";
import { currentSession } from "../../../lib/session";

export type Draw = Schemas["Draw"];
export type AmountDraw = Schemas["AmountDraw"];
export type League = Schemas["LeagueView"];

/** `gameweek` is a number in the season that is played, or season and number: `2026-03`. */
export const drawQuery = (gameweek: string) =>
  queryOptions({
    queryKey: ["draw", gameweek],
    queryFn: ({ signal }) => answerOf(api.GET("/api/gameweeks/{n}/draw", { params: { path: { n: gameweek } }, signal })),
    // Once drawn, it does not change any more.
    staleTime: ({ state }) => (state.data?.drawnAt ? Infinity : 5_000),
  });

/** A draw's gameweek as it is called in every season. */
export const named = ({ season, gameweek }: Draw) => `${season}-${String(gameweek).padStart(2, "0")}`;

/** The player's own league; null where nobody is logged in, or is in none. */
export async function ownLeague(gameweek: string, entryAmount: number): Promise<League | null> {
  if (!currentSession()) return null;
  const query = { gameweek, entryAmount: amountOf(String(entryAmount)) };
  return (await answerOf(api.GET("/api/me/league", { params: { query } }))).league ?? null;
}

/** Every league of a gameweek and amount: all pages of them. */
export async function allLeagues(gameweek: string, entryAmount: number): Promise<League[]> {
  const found = new Map<string, League>();
  let cursor: string | null = null;
  do {
    const query = { gameweek, entryAmount: amountOf(String(entryAmount)), ...(cursor ? { cursor } : {}) };
    const page: { items: League[]; next: string | null } = await pageOf(api.GET("/api/leagues", { params: { query } }));
    for (const league of page.items) found.set(league._id, league);
    cursor = page.next;
  } while (cursor);
  return [...found.values()].sort((a, b) => a.number - b.number);
}
