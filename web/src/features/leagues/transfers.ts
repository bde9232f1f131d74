import { msg, str } from "../../lib/i18n";
import type { Member } from "./ranking";

type Counted = Pick<Member, "points" | "gross" | "hits">;

/** What the points were before extra transfers were paid for, in the words of the settlement; null where none were made. */
export function transfersInWords({ points, gross, hits }: Counted): string | null {
  if (!hits || gross === null) return null;
  return points === gross ? msg(str`${hits} for transfers not deducted`) : msg(str`${gross} − ${hits} for transfers`);
}

/** How many points extra transfers have taken off: none where the deduction is off. */
export const takenOff = ({ points, gross, hits }: Counted): number => (points === null || gross === null || points === gross ? 0 : (hits ?? 0));
