import { ksh } from "../../../lib/money";

/** What was credited of what was paid: `to otieno`. A payment is taxed by its own day, which may have had another rate than today. */
export const creditedInWords = (paid: number, percent: number | null, to: string) =>
  `${ksh(paid)} is credited ${to}${percent ? ", less the excise duty of its day" : ""}.`;

/** Said before a payment is credited. */
export const lessExcise = (percent: number | null) => (percent ? `, less excise duty (today ${percent} %)` : "");
