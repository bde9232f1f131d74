/** Names of gameweeks and leagues, as the API makes them. */

/** `1` of `2026-03-50-00001`. */
export const leagueNumber = (id: string) => Number(id.split("-").at(-1));

/** `3` of `2026-03-50-00001`. */
export const gameweekOf = (league: string) => Number(league.split("-")[1]);
