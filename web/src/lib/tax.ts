/** Taxes: excise, which is taken of a deposit, and the one that is kept back of a withdrawal. */
import { msg, str } from "./i18n";
import { ksh } from "./money";

type Tax = { percent: number; amount: number } | null | undefined;

const WHOLE = 10_000;
const hundredths = (percent: number) => Math.round(percent * 100);

/** What a tax takes of an amount in KES, as the server reckons it: rounded down, the cents are the player's. */
export const taxOf = (amount: number, percent: number): number => Math.floor((amount * hundredths(percent)) / WHOLE);

/** What is paid so that the stake is left, as the server reckons it. */
export const paidFor = (stake: number, percent: number | null): number =>
  percent ? Math.floor(((stake - 1) * WHOLE) / (WHOLE - hundredths(percent))) + 1 : stake;

/** What is kept back and what comes; `null` where it is nothing. */
export function taxInWords(amount: number, tax: Tax): string | null {
  if (!tax || tax.amount === 0) return null;
  return msg(str`Of it ${ksh(tax.amount)} is withholding tax (${tax.percent} %, rounded down): M-Pesa pays ${ksh(amount - tax.amount)}.`);
}

/** Of an amount that is about to be paid in; `null` where it is nothing. */
export function exciseAhead(amount: number, percent: number | null): string | null {
  const tax = percent ? taxOf(amount, percent) : 0;
  if (tax === 0) return null;
  return msg(str`Of it ${ksh(tax)} is excise duty (${percent} %, rounded down): ${ksh(amount - tax)} comes to your wallet.`);
}

/** Of an amount that was paid in. */
export const exciseInWords = (paid: number, tax: Tax): string | null =>
  tax ? msg(str`Of ${ksh(paid)} that you paid, ${ksh(tax.amount)} was excise duty (${tax.percent} %).`) : null;

/**
 * The tax of a movement of the wallet. A correction takes out what the wallet still holds of a withdrawal that M-Pesa has
 * paid after all: its amount does not say what was paid.
 */
export function taxOfMovement(kind: string, amount: number, tax: Tax): string | null {
  if (!tax) return null;
  if (kind === "reversal") return msg(str`${ksh(tax.amount)} of excise duty (${tax.percent} %) went back with it.`);
  if (["deposit", "manual", "paybill"].includes(kind)) return exciseInWords(amount + tax.amount, tax);
  if (kind === "withdrawal") return taxInWords(-amount, tax);
  if (kind !== "correction" || amount > 0) return null;
  return msg(str`${ksh(tax.amount)} of withholding tax (${tax.percent} %) was kept back with it.`);
}
