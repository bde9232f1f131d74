import type { Amount } from "../../lib/amounts";
import { ksh } from "../../lib/money";
import { leaguePays } from "../../lib/projection";
import type { League } from "./leagues";
import { msg, str } from "../../lib/i18n";

/**
 * What a drawn league pays, all its winners together: what it collected less the fee, which is rounded down to
 * whole KES. Null before the draw, where more may join, and once the winners are named.
 * `feePercent` is that of the league's own gameweek; without it nothing is said.
 */
export function prizeOf({ state, users }: League, amount: Amount, feePercent: number | undefined): string | null {
  if (state !== "drawn" || feePercent === undefined) return null;
  return msg(str`Pays ${ksh(leaguePays(amount, users.length, feePercent))} (${users.length} players)`);
}
