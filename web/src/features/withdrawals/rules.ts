/** What a withdrawal may be (spec §5). */
import { isPartOfShilling, ksh, parseAmount, WHOLE_SHILLINGS } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";

/** In KES (spec §9). */
const MINIMUM_WITHDRAWAL = 60;

export function readWithdrawalPhone(typed: string): Parsed<string> {
  const number = typed.replace(/\s/g, "");
  return /^(07\d{8}|01\d{8}|254[17]\d{8})$/.test(number)
    ? parsed(number)
    : refused("Please enter a valid Kenyan M-Pesa number.");
}

/** `balance` in KES; null while it is not known, when only the server can say. */
export function readWithdrawalAmount(typed: string, balance: number | null): Parsed<number> {
  const amount = parseAmount(typed);
  if (isPartOfShilling(typed)) return refused(WHOLE_SHILLINGS);
  if (amount === null) return refused("Please enter a valid amount.");
  if (amount < MINIMUM_WITHDRAWAL) return refused(`Minimum withdrawal amount is KES ${MINIMUM_WITHDRAWAL}.`);
  if (balance !== null && amount > balance) return refused("Insufficient wallet balance.");
  return parsed(amount);
}

export const withdrawalHint = (balance: number | null) =>
  balance === null ? "From KSh 60." : `From KSh 60. You have ${ksh(balance)}.`;
