/** Days that may be years ahead: apart from the other times, which the first page brings. */
import { dayAndMonth, inEastAfrica } from "./time";

/** `20 Feb 2027`, in East Africa. */
export function dayAndYear(at: Date): string {
  const there = inEastAfrica(at);
  return `${dayAndMonth(there)} ${there.getUTCFullYear()}`;
}

/** `20 Feb 2027, 13:30`, in East Africa. */
export const dayYearAndTime = (at: Date) => `${dayAndYear(at)}, ${inEastAfrica(at).toISOString().slice(11, 16)}`;
