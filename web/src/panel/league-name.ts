import { gameweekOf, leagueNumber } from "../lib/gameweek";
import { ksh } from "../lib/money";

/** A league among all there were: `Gameweek 3 of 2026, KSh 50, Group #1` of `2026-03-50-00001`. */
export function leagueName(id: string): string {
  const [season, , amount] = id.split("-");
  return `Gameweek ${gameweekOf(id)} of ${season}, ${ksh(Number(amount))}, Group #${leagueNumber(id)}`;
}
