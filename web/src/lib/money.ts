/** Money as players write it: whole Kenyan shillings, "KSh 1,000". */

const grouped = (kes: number) => String(Math.trunc(kes)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** `KSh 1,000`. By hand: Intl writes "Ksh 1,000.00", which nobody does. */
export const ksh = (kes: number) => `KSh ${grouped(kes)}`;

/** What was gained or given: `+KSh 450`, `−KSh 50`. */
export const signedKsh = (kes: number) => (kes === 0 ? ksh(0) : `${kes > 0 ? "+" : "−"}${ksh(Math.abs(kes))}`);

/** An amount as typed, in whole KES; null where it is not a whole number above zero. */
export function parseAmount(typed: string): number | null {
  const text = typed.trim();
  if (!/^\d{1,9}$/.test(text)) return null;
  const amount = Number(text);
  return amount > 0 ? amount : null;
}
