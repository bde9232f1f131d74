/** How long it is until a gameweek's deadline, by the product's own clock. */
import { useEffect, useState } from "react";
import { productNow, type ProductClock } from "./clock";

export type Timed = { deadline?: string | null; clock: ProductClock };

/** Milliseconds until the deadline; null without one. */
export const untilDeadline = ({ deadline, clock }: Timed): number | null =>
  deadline ? Date.parse(deadline) - productNow(clock) : null;

/** setTimeout counts no further than 24 days. */
const LONGEST_WAIT_MS = 86_400_000;

/** Whether no more than this is left until the deadline; it is looked at again when that begins. */
export function useWithin(status: Timed | undefined, ms: number): boolean {
  const [, look] = useState(0);
  const until = status ? untilDeadline(status) : null;
  const left = until === null ? null : until - ms;
  const within = left !== null && left <= 0;

  useEffect(() => {
    if (left === null || within) return;
    const timer = setTimeout(() => look((n) => n + 1), Math.min(left, LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [left, within]);
  return within;
}
