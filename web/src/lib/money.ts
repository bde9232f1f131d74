/** Money as players write it: whole Kenyan shillings, "KSh 1,000". In both languages. */
import { msg } from "./i18n";

const grouped = (kes: number) => String(Math.trunc(kes)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** `KSh 1,000`. By hand: Intl writes "Ksh 1,000.00", which nobody does. */
export const ksh = (kes: number) => `KSh ${grouped(kes)}`;

/** What was gained or given: `+KSh 450`, `−KSh 50`. */
export const signedKsh = (kes: number) => (kes === 0 ? ksh(0) : `${kes > 0 ? "+" : "−"}${ksh(Math.abs(kes))}`);

/** An amount as typed, in whole KES, `1,000` too; null where it is not a whole number above zero. */
export function parseAmount(typed: string): number | null {
  const text = /^\d{1,3}(,\d{3})+$/.test(typed.trim()) ? typed.trim().replace(/,/g, "") : typed.trim();
  if (!/^\d{1,9}$/.test(text)) return null;
  const amount = Number(text);
  return amount > 0 ? amount : null;
}

/** What is said of an amount that is a number, and not one of whole shillings. */
export const wholeShillings = () => msg("Enter whole shillings, without a point: 10, or 1,000.");

/** `10.5` or `1,00`. */
export const isPartOfShilling = (typed: string) => /^\d+([.,]\d*)+$/.test(typed.trim()) && parseAmount(typed) === null;
