/** What an account's fields may hold (spec section 5). */
import { parsed, refused, type Parsed } from "../../lib/parsed";

export function readNewPassword(typed: string): Parsed<string> {
  const text = typed.trim();
  return text.length >= 6 ? parsed(text) : refused("Password must be at least 6 characters long.");
}

/** A reset asks for a password first, and then for one that an account may have. */
export const readResetPassword = (typed: string): Parsed<string> =>
  typed.trim() === "" ? refused("Enter a new password.") : readNewPassword(typed);

export function readEmail(typed: string): Parsed<string> {
  const text = typed.trim();
  if (text === "") return refused("Enter your email.");
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? parsed(text) : refused("Enter a valid email.");
}

export function readUsername(typed: string): Parsed<string> {
  const text = typed.trim();
  if (text === "") return refused("Choose a username.");
  return text.length <= 12 ? parsed(text) : refused("A username has 12 characters at most.");
}

/** At log-in the password is only required; whether it is right is for the server. */
export const readPassword = (typed: string): Parsed<string> =>
  typed.trim() === "" ? refused("Enter your password.") : parsed(typed.trim());
