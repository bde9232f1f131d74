/** What a withdrawal may be (spec §5). */
import { isPartOfShilling, ksh, parseAmount, wholeShillings } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { msg, str } from "../../lib/i18n";

/** In KES, until the settings have told it (spec §9). */
export const MINIMUM_WITHDRAWAL = 60;

export function readWithdrawalPhone(typed: string): Parsed<string> {
  const number = typed.replace(/\s/g, "");
  return /^(07\d{8}|01\d{8}|254[17]\d{8})$/.test(number)
    ? parsed(number)
    : refused(msg("Please enter a valid Kenyan M-Pesa number."));
}

/** In KES; `balance` is null while it is not known, when only the server can say. */
export function readWithdrawalAmount(typed: string, minimum: number, balance: number | null): Parsed<number> {
  const amount = parseAmount(typed);
  if (isPartOfShilling(typed)) return refused(wholeShillings());
  if (amount === null) return refused(msg("Please enter a valid amount."));
  if (amount < minimum) return refused(msg(str`Minimum withdrawal amount is KES ${minimum}.`));
  if (balance !== null && amount > balance) return refused(msg("Insufficient wallet balance."));
  return parsed(amount);
}

export const withdrawalHint = (minimum: number, balance: number | null) =>
  balance === null ? msg(str`From ${ksh(minimum)}.`) : msg(str`From ${ksh(minimum)}. You have ${ksh(balance)}.`);
