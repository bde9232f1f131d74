/** From which phone an entry is paid (spec §5). */
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { msg } from "../../lib/i18n";

export const readPayPhone = (typed: string): Parsed<string> =>
  /^0[17]\d{8}$/.test(typed)
    ? parsed(typed)
    : refused(msg("Please enter a valid 10-digit Safaricom number (07XXXXXXXX or 01XXXXXXXX)."));
