/**
 * The draw, made again from what is public (docs/draw.md). It follows the rule and shares nothing with the
 * server: whoever does not trust the server's leagues can hold them against these.
 */

const LEAGUE_SIZE = 10;
/** A remainder of at least this many plays as a league of its own. */
const SMALLEST_REMAINDER = 6;

const text = new TextEncoder();

export const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
export const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 over the parts, one after the other. */
export async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** Over the entries' lines in ascending order, each ended by a line feed. */
export const entriesHash = (lines: readonly string[]) =>
  sha256(text.encode([...lines].sort().map((line) => `${line}\n`).join("")));

/** A name as the list has it: over the salt's characters and the name's. */
export const nameHash = async (salt: string, name: string) => toHex(await sha256(text.encode(salt), text.encode(name)));

/** How many players each league has. */
export function sizes(entries: number): number[] {
  const full = Math.floor(entries / LEAGUE_SIZE);
  const rest = entries % LEAGUE_SIZE;
  const tens = Array.from({ length: full }, () => LEAGUE_SIZE);
  if (rest === 0 || (full === 0 && rest === 1)) return tens;
  if (full === 0 || rest >= SMALLEST_REMAINDER) return [...tens, rest];
  const together = LEAGUE_SIZE + rest;
  return [...tens.slice(1), Math.ceil(together / 2), Math.floor(together / 2)];
}

/** The leagues, in order of their numbers: the ids ordered by HMAC-SHA-256 under the seed, and cut. */
export async function leagues(seed: Uint8Array<ArrayBuffer>, ids: readonly string[]): Promise<string[][]> {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const places = await Promise.all(
    ids.map(async (id) => ({ id, place: toHex(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(id)))) })),
  );
  places.sort((a, b) => (a.place < b.place ? -1 : 1));
  let from = 0;
  return sizes(ids.length).map((size) => places.slice(from, (from += size)).map(({ id }) => id));
}
