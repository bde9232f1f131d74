import { msg } from "../../lib/i18n";
import { parsed, refused, type Parsed } from "../../lib/parsed";

/** At log-in the password is only required; whether it is right is for the server. */
export const readPassword = (typed: string): Parsed<string> =>
  typed.trim() === "" ? refused(msg("Enter your password.")) : parsed(typed.trim());
