/** What the draw would make of the entries as they are now: the rule of the draw (docs/draw.md), told before it. */
import { ksh } from "./money";

const LEAGUE_SIZE = 10;
const SMALLEST_REMAINDER = 6;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** The sizes of the leagues that so many entries make, the largest first; one alone makes none and is refunded. */
export function leagueSizes(entries: number): number[] {
  const full = Math.floor(entries / LEAGUE_SIZE);
  const rest = entries % LEAGUE_SIZE;
  const tens = (many: number) => Array.from({ length: many }, () => LEAGUE_SIZE);
  if (rest === 0 || entries === 1) return tens(full);
  if (full === 0 || rest >= SMALLEST_REMAINDER) return [...tens(full), rest];
  const together = LEAGUE_SIZE + rest;
  return [...tens(full - 1), Math.ceil(together / 2), Math.floor(together / 2)];
}

/** What a league of this size pays its winners together, in KES: what it collects less the fee, which is rounded down. */
export function leaguePays(entryAmount: number, size: number, feePercent: number): number {
  const collected = entryAmount * size;
  return collected - Math.floor((collected * feePercent) / 100);
}

const number = (many: number) => NUMBERS[many] ?? String(many);
const sizeName = (size: number) => (size === LEAGUE_SIZE ? "ten" : String(size));

type Offer = { entryAmount: number; entries: number };

/** `12 in: two leagues of 6, each pays KSh 270. 8 more make two of ten, KSh 450 each.` */
export function projection({ entryAmount, entries }: Offer, feePercent: number): string {
  const pays = (size: number) => ksh(leaguePays(entryAmount, size, feePercent));
  const filled = Math.max(1, Math.ceil(entries / LEAGUE_SIZE));
  const lacking = filled * LEAGUE_SIZE - entries;
  const made = filled === 1 ? `one league of ten, ${pays(LEAGUE_SIZE)}` : `${number(filled)} of ten, ${pays(LEAGUE_SIZE)} each`;
  const more = lacking === 0 ? "" : ` ${lacking} more make${lacking === 1 ? "s" : ""} ${made}.`;
  if (entries === 0) return `0 in. 10 players make ${made}.`;
  if (entries === 1) return `1 in: one player alone gets the money back.${more}`;
  return `${entries} in: ${leaguesInWords(leagueSizes(entries), pays)}.${more}`;
}

function leaguesInWords(sizes: readonly number[], pays: (size: number) => string): string {
  const groups = [...new Set(sizes)].map((size) => ({ size, many: sizes.filter((other) => other === size).length }));
  return groups
    .map(({ size, many }, i) => {
      const what = i === 0 ? `${number(many)} league${many === 1 ? "" : "s"}` : number(many);
      return `${what} of ${sizeName(size)}, ${many === 1 ? "which" : "each"} pays ${pays(size)}`;
    })
    .join("; ");
}
