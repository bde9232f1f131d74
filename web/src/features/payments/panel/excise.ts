import { ksh } from "../../../lib/money";
import { taxOf } from "../../../lib/tax";

/** What was credited of what was paid: `to otieno`. The excise is reckoned at today's rate; another day may have had another one. */
export function creditedInWords(paid: number, percent: number | null, to: string): string {
  const tax = percent ? taxOf(paid, percent) : 0;
  const of = tax > 0 ? ` Of ${ksh(paid)}, ${ksh(tax)} is excise duty (today ${percent} %, rounded down).` : "";
  return `${ksh(paid - tax)} is credited ${to}.${of}`;
}

/** Said before a payment is credited. */
export const lessExcise = (percent: number | null) => (percent ? `, less excise duty (today ${percent} %)` : "");
