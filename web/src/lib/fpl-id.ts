import { parsed, refused, type Parsed } from "./parsed";

/** A team's id as typed (spec section 5): digits, however many. */
export function readFplId(typed: string): Parsed<string> {
  const text = typed.trim();
  return /^\d+$/.test(text) ? parsed(text) : refused("FPL ID must be a numeric value.");
}
