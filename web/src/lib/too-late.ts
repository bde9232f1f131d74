/** Payments for an entry that are decided too late to make one. */
import { useWithin, type Timed } from "./deadline";
import { msg, str } from "./i18n";
import { ksh } from "./money";

/**
 * So long after the deadline the draw's list of entries is fixed: it waits for payments that were heard of in time until
 * `LIST_WAITS_AFTER_DEADLINE` (23 minutes, shared/domain/src/gameweeks/calendar.rs), and what runs each minute has made it by then.
 */
const LIST_IS_FIXED_MS = 25 * 60_000;

/**
 * Tells, by the number of the gameweek that a payment is to enter, whether it makes no entry any more; null: the current one.
 *
 * `before`: the deadline of the gameweek before the current one. Where the next deadline is less than two days later, the current
 * gameweek changes before that list is fixed, even at that deadline. Without it no payment for a former gameweek is said to be late.
 */
export function useTooLate(status: (Timed & { gameweek?: number | null }) | undefined, before?: string) {
  const isFixed = useWithin(status, -LIST_IS_FIXED_MS);
  const formerIsFixed = useWithin(status && { deadline: before ?? null, clock: status.clock }, -LIST_IS_FIXED_MS);
  const current = status?.gameweek;
  return (gameweek: number | null | undefined): boolean => {
    if (!current) return false;
    const wanted = gameweek ?? current;
    return wanted < current ? formerIsFixed : isFixed && wanted === current;
  };
}

/** What is said of one that M-Pesa has said nothing of. */
export const tooLateInWords = (amount: number) =>
  msg(str`Your payment of ${ksh(amount)} is not decided yet. If it was paid, the money comes to your wallet.`);
