/** What an entry costs and from which phone it is paid (spec sections 5 and 9). */
import { parsed, refused, type Parsed } from "../../lib/parsed";

/** In KES. */
export const ENTRY_AMOUNTS = [50, 100, 250] as const;

export const readPayPhone = (typed: string): Parsed<string> =>
  /^0[17]\d{8}$/.test(typed)
    ? parsed(typed)
    : refused("Please enter a valid 10-digit Safaricom number (07XXXXXXXX or 01XXXXXXXX).");
