import { msg, str } from "../../../lib/i18n";
import { plural } from "../../../lib/plural";

const nameOf = (size: number) => (size === 10 ? msg("ten") : String(size));

/** What a draw made at one amount: how many players, in leagues of which sizes. */
export function inWords({ entries, sizes }: { entries: number; sizes: readonly number[] }): string {
  if (entries === 0) return msg("Nobody joined.");
  if (sizes.length === 0) return msg("One player joined, and was refunded.");
  const distinct = [...new Set(sizes)];
  const leagues = plural(sizes.length, msg("one league"), msg(str`${sizes.length} leagues`));
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return msg(str`${entries} players in ${leagues} of ${nameOf(only)}.`);
  const each = distinct.map((size) => {
    const many = sizes.filter((other) => other === size).length;
    return msg(str`${many === 1 ? msg("one") : many} of ${nameOf(size)}`);
  });
  return msg(str`${entries} players in ${leagues}: ${each.join(", ")}.`);
}
