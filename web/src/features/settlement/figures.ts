import type { Place } from "./queries";

/** How a score comes about, readable without a legend: `65 points − 4 for transfers = 61, bench 7`. */
export function figuresOf({ gross, transfersCost, points, pointsOnBench }: Place, deducted: boolean): string {
  const hits = transfersCost ?? 0;
  const sum = deducted && hits > 0 ? `${gross} points − ${hits} for transfers = ${points}` : `${points} points`;
  const unused = !deducted && hits > 0 ? ` (${hits} for transfers not deducted)` : "";
  return `${sum}${unused}, bench ${pointsOnBench}`;
}
