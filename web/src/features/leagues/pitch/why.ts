import type { Footballer } from "../leagues";
import { msg, str } from "../../../lib/i18n";
import { plural } from "../../../lib/plural";

type Line = Footballer["why"][number];

const WORDS: Record<string, (n: number) => string> = {
  minutes: (n) => plural(n, msg(str`${n} minute`), msg(str`${n} minutes`)),
  goals_scored: (n) => plural(n, msg(str`${n} goal`), msg(str`${n} goals`)),
  assists: (n) => plural(n, msg(str`${n} assist`), msg(str`${n} assists`)),
  clean_sheets: () => msg("clean sheet"),
  goals_conceded: (n) => plural(n, msg(str`${n} goal conceded`), msg(str`${n} goals conceded`)),
  own_goals: (n) => plural(n, msg(str`${n} own goal`), msg(str`${n} own goals`)),
  penalties_saved: (n) => plural(n, msg(str`${n} penalty saved`), msg(str`${n} penalties saved`)),
  penalties_missed: (n) => plural(n, msg(str`${n} penalty missed`), msg(str`${n} penalties missed`)),
  yellow_cards: (n) => plural(n, msg(str`${n} yellow card`), msg(str`${n} yellow cards`)),
  red_cards: (n) => plural(n, msg(str`${n} red card`), msg(str`${n} red cards`)),
  saves: (n) => plural(n, msg(str`${n} save`), msg(str`${n} saves`)),
  bonus: () => msg("bonus"),
  defensive_contribution: (n) => plural(n, msg(str`${n} defensive contribution`), msg(str`${n} defensive contributions`)),
};

/** What a line of points is for, in words; one that is newer than this page by the official game's name. */
export const inWords = ({ what, count }: Line) => (WORDS[what] ?? ((n: number) => `${n} ${what.replace(/_/g, " ")}`))(count);

/** As on the shirt; by the official number where the list does not have it. */
export const nameOf = ({ name, id }: Footballer) => name ?? msg(str`No. ${id}`);

/** What a footballer brings the team: nothing from the bench, twice or three times with the armband. */
export const worth = ({ points, multiplier }: Footballer) => points * multiplier;

/** Whether nothing is known of a footballer yet. In a gameweek of two matches he may have played one of them. */
export const isAwaited = ({ stage, why, points }: Footballer) => stage === "left" && points === 0 && why.length === 0;

/** What the stage of a club's gameweek means for its footballer. Lines that do not make up his points are left out: he has played. */
export function stageInWords(footballer: Footballer): string | null {
  const { stage, why, points } = footballer;
  if (stage === "left") return isAwaited(footballer) ? msg("Yet to play.") : msg("A match is still to come.");
  if (stage === "playing") return msg("Playing now.");
  if (stage === "blank") return msg("No match in this gameweek.");
  if (stage === "played") return why.length === 0 && points === 0 ? msg("Did not play.") : msg("Played.");
  return null;
}
