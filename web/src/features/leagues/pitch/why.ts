import type { Footballer } from "../queries";

type Line = Footballer["why"][number];

const one = (single: string, many = `${single}s`) => (count: number) => `${count} ${count === 1 ? single : many}`;

const WORDS: Record<string, (count: number) => string> = {
  minutes: one("minute"),
  goals_scored: one("goal"),
  assists: one("assist"),
  clean_sheets: () => "clean sheet",
  goals_conceded: one("goal conceded", "goals conceded"),
  own_goals: one("own goal"),
  penalties_saved: one("penalty saved", "penalties saved"),
  penalties_missed: one("penalty missed", "penalties missed"),
  yellow_cards: one("yellow card"),
  red_cards: one("red card"),
  saves: one("save"),
  bonus: () => "bonus",
  defensive_contribution: one("defensive contribution"),
};

/** What a line of points is for, in words; one that is newer than this page by the official game's name. */
export const inWords = ({ what, count }: Line) => (WORDS[what] ?? ((n: number) => `${n} ${what.replace(/_/g, " ")}`))(count);

/** As on the shirt; by the official number where the list does not have it. */
export const nameOf = ({ name, id }: Footballer) => name ?? `No. ${id}`;

/** What a footballer brings the team: nothing from the bench, twice or three times with the armband. */
export const worth = ({ points, multiplier }: Footballer) => points * multiplier;

/** What the stage of a club's gameweek means for its footballer. */
export function stageInWords({ stage, why }: Footballer): string | null {
  if (stage === "left") return "Yet to play.";
  if (stage === "playing") return "Playing now.";
  if (stage === "blank") return "No match in this gameweek.";
  if (stage === "played") return why.length > 0 ? "Played." : "Did not play.";
  return null;
}
