/** The tax that is kept back of a withdrawal. */
import { msg, str } from "./i18n";
import { ksh } from "./money";

/** What is kept back of an amount in KES, as the server reckons it: rounded down, the cents are the player's. */
export const withheldOf = (amount: number, percent: number): number => Math.floor((amount * Math.round(percent * 100)) / 10_000);

/** What is kept back and what comes; `null` where it is nothing. */
export function taxInWords(amount: number, tax: { percent: number; amount: number } | null | undefined): string | null {
  if (!tax || tax.amount === 0) return null;
  return msg(str`Of it ${ksh(tax.amount)} is withholding tax (${tax.percent} %): M-Pesa pays ${ksh(amount - tax.amount)}.`);
}
