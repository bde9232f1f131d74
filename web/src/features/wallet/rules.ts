/** What a deposit and a withdrawal may be (spec section 5, decisions: phone numbers per call). */
import { ksh, parseAmount } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";

/** In KES (spec section 9). */
const MINIMUM_WITHDRAWAL = 60;

export const readDepositPhone = (typed: string): Parsed<string> =>
  /^0\d{9}$/.test(typed) ? parsed(typed) : refused("Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).");

export function readDepositAmount(typed: string): Parsed<number> {
  const amount = parseAmount(typed);
  return amount === null ? refused("Enter a valid deposit amount greater than 0.") : parsed(amount);
}

export function readWithdrawalPhone(typed: string): Parsed<string> {
  const number = typed.replace(/\s/g, "");
  return /^(07\d{8}|01\d{8}|254[17]\d{8})$/.test(number)
    ? parsed(number)
    : refused("Please enter a valid Kenyan M-Pesa number.");
}

/** `balance` in KES; null while it is not known, when only the server can say. */
export function readWithdrawalAmount(typed: string, balance: number | null): Parsed<number> {
  const amount = parseAmount(typed);
  if (amount === null) return refused("Please enter a valid amount.");
  if (amount < MINIMUM_WITHDRAWAL) return refused(`Minimum withdrawal amount is KES ${MINIMUM_WITHDRAWAL}.`);
  if (balance !== null && amount > balance) return refused("Insufficient wallet balance.");
  return parsed(amount);
}

export const withdrawalHint = (balance: number | null) =>
  balance === null ? "From KSh 60." : `From KSh 60. You have ${ksh(balance)}.`;

/** A code is only required here; whether it is one, and whose, is for the server. Spaces and case do not matter. */
export function readMpesaCode(typed: string): Parsed<string> {
  const code = typed.replace(/\s/g, "").toUpperCase();
  return code === "" ? refused("Enter the code from M-Pesa's message.") : parsed(code);
}
