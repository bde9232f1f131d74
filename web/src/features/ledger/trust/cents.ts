import { ksh } from "../../../lib/money";

/** KES cents as people write money: `KSh 1,000`, `−KSh 12.50`. M-Pesa's charges are not whole shillings. */
export function kshOfCents(cents: number): string {
  const whole = Math.abs(cents);
  const rest = whole % 100;
  return `${cents < 0 ? "−" : ""}${ksh((whole - rest) / 100)}${rest === 0 ? "" : `.${String(rest).padStart(2, "0")}`}`;
}
