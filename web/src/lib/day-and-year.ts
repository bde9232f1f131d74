/** Days that may be years ahead: apart from the other times, which the first page brings. */
import { MONTH_LETTERS, partsOf } from "./time";

const DAY_OF_YEAR: Intl.DateTimeFormatOptions = { timeZone: "Africa/Nairobi", day: "numeric", month: "short", year: "numeric" };

/** `20 Feb 2027`: a day that may be years ahead. */
export function dayAndYear(at: Date): string {
  const part = partsOf(at, DAY_OF_YEAR);
  return `${part.day} ${part.month?.slice(0, MONTH_LETTERS)} ${part.year}`;
}
