/** What an account's fields may hold (spec §5). */
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { msg } from "../../lib/i18n";

// Apart: the first page needs it, and none of the others.
export { readPassword } from "./read-password";

export function readNewPassword(typed: string): Parsed<string> {
  const text = typed.trim();
  return text.length >= 6 ? parsed(text) : refused(msg("Password must be at least 6 characters long."));
}

/** A reset asks for a password first, and then for one that an account may have. */
export const readResetPassword = (typed: string): Parsed<string> =>
  typed.trim() === "" ? refused(msg("Enter a new password.")) : readNewPassword(typed);

export function readEmail(typed: string): Parsed<string> {
  const text = typed.trim();
  if (text === "") return refused(msg("Enter your email."));
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? parsed(text) : refused(msg("Enter a valid email."));
}

export function readUsername(typed: string): Parsed<string> {
  const text = typed.trim();
  if (text === "") return refused(msg("Choose a username."));
  if (text.length < 3 || text.length > 12) return refused(msg("Enter a username of 3 to 12 characters."));
  if (!/^[A-Za-z0-9._-]+$/.test(text)) return refused(msg("A username has only letters without accents, digits, '.', '_' and '-'."));
  return /[A-Za-z]/.test(text) ? parsed(text) : refused(msg("A username has at least one letter."));
}

