/** What a withdrawal may be (spec §5). */
import { isPartOfShilling, ksh, parseAmount, wholeShillings } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { msg, str } from "../../lib/i18n";

/** In KES (spec §9). */
const MINIMUM_WITHDRAWAL = 60;

export function readWithdrawalPhone(typed: string): Parsed<string> {
  const number = typed.replace(/\s/g, "");
  return /^(07\d{8}|01\d{8}|254[17]\d{8})$/.test(number)
    ? parsed(number)
    : refused(msg("Please enter a valid Kenyan M-Pesa number."));
}

/** `balance` in KES; null while it is not known, when only the server can say. */
export function readWithdrawalAmount(typed: string, balance: number | null): Parsed<number> {
  const amount = parseAmount(typed);
  if (isPartOfShilling(typed)) return refused(wholeShillings());
  if (amount === null) return refused(msg("Please enter a valid amount."));
  if (amount < MINIMUM_WITHDRAWAL) return refused(msg(str`Minimum withdrawal amount is KES ${MINIMUM_WITHDRAWAL}.`));
  if (balance !== null && amount > balance) return refused(msg("Insufficient wallet balance."));
  return parsed(amount);
}

export const withdrawalHint = (balance: number | null) =>
  balance === null ? msg("From KSh 60.") : msg(str`From KSh 60. You have ${ksh(balance)}.`);
