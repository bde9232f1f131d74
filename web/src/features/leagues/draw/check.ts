import { allLeagues, named, ownLeague, type AmountDraw, type Draw, type League } from "./draw";
import { entriesHash, fromHex, leagues as drawLeagues, nameHash, sha256, toHex } from "./recompute";
import { msg, str } from "../../../lib/i18n";
import { plural } from "../../../lib/plural";

/** One thing that has to hold, in words, and whether it does. */
export type Check = { what: string; holds: boolean };

export const canCheck = () => typeof crypto !== "undefined" && "subtle" in crypto;

/** Makes the draw of one amount again and holds it against the leagues that are shown. */
export async function checkDraw(draw: Draw, amount: AmountDraw): Promise<Check[]> {
  const shown = await allLeagues(named(draw), amount.entryAmount);
  const ids = idsOf(shown, amount);
  const secret = fromHex(amount.secret);
  const listHash = await entriesHash(amount.covers === "lines" ? linesOf(shown, amount) : ids);
  const seed = await sha256(secret, fromHex(amount.beacon ?? ""), listHash);
  const made = await drawLeagues(new Uint8Array(seed), ids);
  const checks: Check[] = [
    {
      what: msg("The secret is the one whose hash was public since the gameweek opened."),
      holds: toHex(await sha256(secret)) === draw.secretHash,
    },
    {
      what: msg(str`The ${ids.length} entries in the leagues are the list that was fixed before the beacon's round.`),
      holds: toHex(listHash) === amount.entriesHash && ids.length === amount.entries,
    },
    { what: msg("The seed comes from that secret, the beacon's value and that list."), holds: toHex(seed) === amount.seed },
    {
      what: plural(
        shown.length,
        msg("The one league is exactly as that seed makes it."),
        msg(str`All ${shown.length} leagues are exactly as that seed makes them.`),
      ),
      holds: shown.length === made.length && shown.every((league) => isMade(league, made)),
    },
  ];
  if (amount.covers === "lines") {
    const what = msg("Each team and name in the leagues is the one that joined: the list's hash is over them.");
    checks.splice(2, 0, { what, holds: await namesHold(shown) });
  }
  // As the player alone is shown it: it has to be what everybody is shown.
  const own = await ownLeague(named(draw), amount.entryAmount);
  if (own) {
    checks.push({ what: msg(str`Your Group #${own.number} has exactly the players that the draw puts there.`), holds: isMade(own, made) });
  }
  return checks;
}

function idsOf(shown: readonly League[], { alone }: AmountDraw): string[] {
  const ids = shown.flatMap(({ users }) => users.flatMap(({ entryId }) => (entryId ? [entryId] : [])));
  return alone ? [...ids, alone] : ids;
}

/** The lines that the list's hash is over, as the leagues show them. */
function linesOf(shown: readonly League[], { aloneLine }: AmountDraw): string[] {
  const lines = shown.flatMap(({ users }) => users.map(({ entryId, fplId, nameHash }) => `${entryId} ${fplId} ${nameHash}`));
  return aloneLine ? [...lines, aloneLine] : lines;
}

/** Whether each name that is shown is the one whose hash is in the list. */
async function namesHold(shown: readonly League[]): Promise<boolean> {
  const users = shown.flatMap(({ users }) => users).filter(({ username }) => username);
  const hashes = await Promise.all(users.map(({ salt, username }) => nameHash(salt ?? "", username)));
  return users.every((user, i) => user.nameHash === hashes[i]);
}

/** Whether a league's members are those of the league of its number that was made here. */
function isMade({ number, users }: League, made: readonly string[][]): boolean {
  const shown = users.map(({ entryId }) => entryId).sort();
  const drawn = [...(made[number - 1] ?? [])].sort();
  return shown.length === drawn.length && shown.every((id, i) => id === drawn[i]);
}
