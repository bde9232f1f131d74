/** What came of an entry into a gameweek: the one place that decides it, for players and admins. */
import { ksh } from "./money";
import { msg, str } from "./i18n";

/** As the server tells an entry; all money in KES. */
type Entry = { amount: number; league?: string | null; rank?: number | null; points?: number | null; prize: number; refund: number };

/** What came of an entry so far. */
export function stateOf({ prize, refund, rank, league }: Entry) {
  if (prize > 0) return "won";
  if (refund > 0) return "refunded";
  if (typeof rank === "number") return "lost";
  return league ? "playing" : "in";
}

/** Whether it is not known yet what an entry brings. */
export function isInPlay(entry: Entry): boolean {
  const state = stateOf(entry);
  return state === "in" || state === "playing";
}

/** What was paid for the entries that are neither won nor lost yet, in KES. */
export const sumInPlay = (entries: readonly Entry[]) => entries.filter(isInPlay).reduce((sum, { amount }) => sum + amount, 0);

/** Whether its league was settled, and how it was paid can be read. */
export const isSettled = ({ rank }: Entry) => typeof rank === "number";

/** What came of an entry, in the few words of a list. */
export function outcomeInWords(entry: Entry): string {
  switch (stateOf(entry)) {
    case "won":
      return msg(str`Won ${ksh(entry.prize)}`);
    case "refunded":
      return msg(str`Refunded ${ksh(entry.refund)}`);
    case "lost":
      return typeof entry.points === "number"
        ? msg(str`Rank ${entry.rank} with ${entry.points} points`)
        : msg(str`Rank ${entry.rank}: the team could not be read`);
    case "playing":
      return msg("In play");
    case "in":
      return msg("Waiting for the draw");
  }
}
