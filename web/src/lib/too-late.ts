/** Payments for an entry that are decided too late to make one. */
import { useWithin, type Timed } from "./deadline";
import { msg, str } from "./i18n";
import { ksh } from "./money";

/**
 * So long after the deadline the draw's list of entries is fixed: it waits for payments that were heard of in time until
 * `LIST_WAITS_AFTER_DEADLINE` (23 minutes, shared/domain/src/gameweeks/calendar.rs), and what runs each minute has made it by then.
 */
const LIST_IS_FIXED_MS = 25 * 60_000;

/** Tells, by the number of the gameweek that a payment is to enter, whether it makes no entry any more; null: the current one. */
export function useTooLate(status: (Timed & { gameweek?: number | null }) | undefined) {
  const isFixed = useWithin(status, -LIST_IS_FIXED_MS);
  const current = status?.gameweek;
  return (gameweek: number | null | undefined): boolean => {
    if (!current) return false;
    return (gameweek ?? current) < current || (isFixed && (gameweek ?? current) === current);
  };
}

/** What is said of one that M-Pesa has said nothing of. */
export const tooLateInWords = (amount: number) =>
  msg(str`Your payment of ${ksh(amount)} is not decided yet. If it was paid, the money comes to your wallet.`);
