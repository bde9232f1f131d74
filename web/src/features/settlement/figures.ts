import type { Place, Settlement } from "./settlement";
import { msg, str } from "../../lib/i18n";

/** How a score comes about, readable without a legend: `65 points − 4 for transfers = 61, bench 7`. */
export function figuresOf({ gross, transfersCost, points, pointsOnBench, ownFigures }: Place, deducted: boolean): string {
  if (points === null || points === undefined) return msg("no official score");
  const hits = transfersCost ?? 0;
  const sum = deducted && hits > 0 ? msg(str`${gross} points − ${hits} for transfers = ${points}`) : msg(str`${points} points`);
  const unused = !deducted && hits > 0 ? ` ${msg(str`(${hits} for transfers not deducted)`)}` : "";
  const own = ownFigures ? ` ${msg("(our own figures)")}` : "";
  return `${sum}${unused}, ${msg(str`bench ${pointsOnBench}`)}${own}`;
}

const bases = (): Record<Settlement["basis"], string> => ({
  "two-readings": msg("Our own computation and the official figures agreed."),
  void: msg("Nothing was played: every entry was given back."),
  "official-figures": msg("Decided by the operator: settled on the official figures."),
  "own-figures": msg("The official figures decided; a team that the official game knew no more was ranked on our own, and last where there were none."),
  refunded: msg("Decided by the operator: every entry was given back."),
  "called-off": msg("The operator called the gameweek off: every entry was given back, whole."),
  "left-out": msg("Decided by the operator: who had no official score was left out."),
});

/** What the league was settled on, and the operator's reason where there was a decision. */
export const basisOf = ({ basis, reason }: Settlement) => (reason ? `${bases()[basis]} ${reason}` : bases()[basis]);
