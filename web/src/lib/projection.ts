/** What the draw would make of the entries as they are now: the rule of the draw (docs/draw.md), told before it. */
import { ksh } from "./money";
import { msg, str } from "./i18n";
import { plural } from "./plural";

const LEAGUE_SIZE = 10;
const SMALLEST_REMAINDER = 6;

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

const numbers = () => [
  msg("no"),
  msg("one"),
  msg("two"),
  msg("three"),
  msg("four"),
  msg("five"),
  msg("six"),
  msg("seven"),
  msg("eight"),
  msg("nine"),
  msg("ten"),
];
const number = (many: number) => numbers()[many] ?? String(many);
const sizeName = (size: number) => (size === LEAGUE_SIZE ? msg("ten") : String(size));

type Offer = { entryAmount: number; entries: number };

/** `12 in: two leagues of 6, each pays KSh 270. 8 more make two of ten, KSh 450 each.` Without the second where nobody joins any more. */
export function projection({ entryAmount, entries }: Offer, feePercent: number, open = true): string {
  const pays = (size: number) => ksh(leaguePays(entryAmount, size, feePercent));
  const filled = Math.max(1, Math.ceil(entries / LEAGUE_SIZE));
  const lacking = filled * LEAGUE_SIZE - entries;
  const made = filled === 1 ? msg(str`one league of ten, ${pays(LEAGUE_SIZE)}`) : msg(str`${number(filled)} of ten, ${pays(LEAGUE_SIZE)} each`);
  if (entries === 0) return open ? msg(str`0 in. 10 players make ${made}.`) : msg(str`${entries} joined.`);
  const now = entries === 1 ? msg("1 in: one player alone gets the money back.") : msg(str`${entries} in: ${leaguesInWords(leagueSizes(entries), pays)}.`);
  const more = plural(lacking, msg(str`${lacking} more makes ${made}.`), msg(str`${lacking} more make ${made}.`));
  return lacking === 0 || !open ? now : `${now} ${more}`;
}

function leaguesInWords(sizes: readonly number[], pays: (size: number) => string): string {
  const groups = [...new Set(sizes)].map((size) => ({ size, many: sizes.filter((other) => other === size).length }));
  return groups
    .map(({ size, many }, i) => {
      const [so, of, paid] = [number(many), sizeName(size), pays(size)];
      return i === 0
        ? plural(many, msg(str`${so} league of ${of}, which pays ${paid}`), msg(str`${so} leagues of ${of}, each pays ${paid}`))
        : plural(many, msg(str`${so} of ${of}, which pays ${paid}`), msg(str`${so} of ${of}, each pays ${paid}`));
    })
    .join("; ");
}
