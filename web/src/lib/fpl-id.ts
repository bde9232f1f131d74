import { parsed, refused, type Parsed } from "./parsed";
import { msg } from "./i18n";

/** The Points page's whole address, as it is copied from the bar: the id stands after /entry/. */
const ADDRESS = /^\S*\/entry\/(\d+)(?:[/?#]\S*)?$/;

/** A team's id as typed (spec §5): digits, however many; of an address with one in it, that. */
export function readFplId(typed: string): Parsed<string> {
  const text = typed.trim().replace(ADDRESS, "$1");
  return /^\d+$/.test(text) ? parsed(text) : refused(msg("FPL ID must be a numeric value."));
}
