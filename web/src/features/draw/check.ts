import { allLeagues, type AmountDraw, type Draw, type League } from "./queries";
import { entriesHash, fromHex, leagues as drawLeagues, sha256, toHex } from "./recompute";

/** One thing that has to hold, in words, and whether it does. */
export type Check = { what: string; holds: boolean };

export const canCheck = () => typeof crypto !== "undefined" && "subtle" in crypto;

/** Makes the draw of one amount again and holds it against the leagues that are shown. */
export async function checkDraw(draw: Draw, amount: AmountDraw): Promise<Check[]> {
  const shown = await allLeagues(draw.gameweek, amount.entryAmount);
  const ids = idsOf(shown, amount);
  const secret = fromHex(amount.secret);
  const listHash = await entriesHash(ids);
  const seed = await sha256(secret, fromHex(amount.beacon ?? ""), listHash);
  const made = await drawLeagues(new Uint8Array(seed), ids);
  const checks: Check[] = [
    {
      what: "The secret is the one whose hash was public since the gameweek opened.",
      holds: toHex(await sha256(secret)) === draw.secretHash,
    },
    {
      what: `The ${ids.length} entries in the leagues are the list that was fixed at the fence.`,
      holds: toHex(listHash) === amount.entriesHash && ids.length === amount.entries,
    },
    { what: "The seed comes from that secret, the beacon's value and that list.", holds: toHex(seed) === amount.seed },
    {
      what: `All ${shown.length} leagues are exactly as that seed makes them.`,
      holds: shown.length === made.length && shown.every((league) => isMade(league, made)),
    },
  ];
  const own = shown.find((league) => league.own);
  if (own) {
    checks.push({ what: `Your league, #${own.number}, has exactly the players that the draw puts there.`, holds: isMade(own, made) });
  }
  return checks;
}

function idsOf(shown: readonly League[], { alone }: AmountDraw): string[] {
  const ids = shown.flatMap(({ users }) => users.flatMap(({ entryId }) => (entryId ? [entryId] : [])));
  return alone ? [...ids, alone] : ids;
}

/** Whether a league's members are those of the league of its number that was made here. */
function isMade({ number, users }: League, made: readonly string[][]): boolean {
  const shown = users.map(({ entryId }) => entryId).toSorted();
  const drawn = made[number - 1]?.toSorted() ?? [];
  return shown.length === drawn.length && shown.every((id, i) => id === drawn[i]);
}
