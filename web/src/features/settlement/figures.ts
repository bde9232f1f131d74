import type { Place, Settlement } from "./queries";

/** How a score comes about, readable without a legend: `65 points − 4 for transfers = 61, bench 7`. */
export function figuresOf({ gross, transfersCost, points, pointsOnBench, ownFigures }: Place, deducted: boolean): string {
  if (points === null || points === undefined) return "no official score";
  const hits = transfersCost ?? 0;
  const sum = deducted && hits > 0 ? `${gross} points − ${hits} for transfers = ${points}` : `${points} points`;
  const unused = !deducted && hits > 0 ? ` (${hits} for transfers not deducted)` : "";
  return `${sum}${unused}, bench ${pointsOnBench}${ownFigures ? " (our own figures)" : ""}`;
}

const BASES: Record<Settlement["basis"], string> = {
  "two-readings": "Our own computation and the official figures agreed.",
  void: "Nothing was played: every entry was given back.",
  "official-figures": "Decided by the operator: settled on the official figures.",
  "own-figures":
    "The official figures decided; a team that the official game knew no more was ranked on our own, and last where there were none.",
  refunded: "Decided by the operator: every entry was given back.",
  "called-off": "The operator called the gameweek off: every entry was given back, whole.",
  "left-out": "Decided by the operator: who had no official score was left out.",
};

/** What the league was settled on, and the operator's reason where there was a decision. */
export const basisOf = ({ basis, reason }: Settlement) => (reason ? `${BASES[basis]} ${reason}` : BASES[basis]);
