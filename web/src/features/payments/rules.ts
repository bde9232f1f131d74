/** What a deposit may be, and a typed code (spec §5). */
import { isPartOfShilling, parseAmount, wholeShillings } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { msg } from "../../lib/i18n";

export const readDepositPhone = (typed: string): Parsed<string> =>
  /^0\d{9}$/.test(typed) ? parsed(typed) : refused(msg("Enter a valid Kenyan phone number (e.g. 07XXXXXXXX)."));

export function readDepositAmount(typed: string): Parsed<number> {
  const amount = parseAmount(typed);
  if (isPartOfShilling(typed)) return refused(wholeShillings());
  return amount === null ? refused(msg("Enter a valid deposit amount greater than 0.")) : parsed(amount);
}

/** A code is only required here; whether it is one, and whose, is for the server. Spaces and case do not matter. */
export function readMpesaCode(typed: string): Parsed<string> {
  const code = typed.replace(/\s/g, "").toUpperCase();
  return code === "" ? refused(msg("Enter the code from M-Pesa's message.")) : parsed(code);
}
