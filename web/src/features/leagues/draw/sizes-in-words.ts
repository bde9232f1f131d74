import { count } from "../../../lib/count";

const nameOf = (size: number) => (size === 10 ? "ten" : String(size));

/** What a draw made at one amount: how many players, in leagues of which sizes. */
export function inWords({ entries, sizes }: { entries: number; sizes: readonly number[] }): string {
  if (entries === 0) return "Nobody joined.";
  if (sizes.length === 0) return "One player joined, and was refunded.";
  const distinct = [...new Set(sizes)];
  const leagues = sizes.length === 1 ? "one league" : count(sizes.length, "league");
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return `${entries} players in ${leagues} of ${nameOf(only)}.`;
  const each = distinct.map((size) => {
    const many = sizes.filter((other) => other === size).length;
    return `${many === 1 ? "one" : many} of ${nameOf(size)}`;
  });
  return `${entries} players in ${leagues}: ${each.join(", ")}.`;
}
