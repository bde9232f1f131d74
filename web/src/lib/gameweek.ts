/** Names of gameweeks and leagues, as the API makes them. */
import { last } from "./last";

/** `1` of `2026-03-50-00001`. */
export const leagueNumber = (id: string) => Number(last(id.split("-")));

/** `3` of `2026-03-50-00001`. */
export const gameweekOf = (league: string) => Number(league.split("-")[1]);
