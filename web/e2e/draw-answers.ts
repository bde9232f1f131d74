import { createHash, createHmac } from "node:crypto";

const sha = (...parts: (Buffer | string)[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

const hex = (bytes: Buffer) => bytes.toString("hex");

/** A draw of thirteen with its leagues, as the rule makes them. */
function drawing() {
  const ids = Array.from({ length: 13 }, (_, i) => sha(`entry ${i}`).toString("hex").slice(0, 32)).toSorted();
  const userOf = (entryId: string) => ({
    entryId,
    fplId: String(Number.parseInt(entryId.slice(0, 5), 16) + 1),
    username: entryId.slice(0, 8),
    salt: entryId,
    nameHash: hex(sha(entryId, entryId.slice(0, 8))),
  });
  const lineOf = ({ entryId, fplId, nameHash }: ReturnType<typeof userOf>) => `${entryId} ${fplId} ${nameHash}`;
  const [secret, beacon] = [sha("the operator's secret"), sha("the beacon")];
  const listHash = sha(ids.map((id) => `${lineOf(userOf(id))}\n`).join(""));
  const seed = sha(secret, beacon, listHash);
  const place = (id: string) => createHmac("sha256", seed).update(id).digest("hex");
  const ordered = ids.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const drawn = [ordered.slice(0, 7), ordered.slice(7)].map((members, i) => ({
    _id: `2026-03-50-0000${i + 1}`,
    number: i + 1,
    state: "drawn",
    own: false,
    users: members.map(userOf),
  }));
  const draw = {
    gameweek: 3,
    season: 2026,
    secretHash: hex(sha(secret)),
    deadline: "2026-08-22T10:30:00Z",
    fence: "2026-08-22T10:40:00Z",
    beaconAddresses: ["https://api.drand.sh", "https://api2.drand.sh", "https://drand.cloudflare.com"],
    beaconChain: hex(sha("chain")),
    beaconRound: 5234567,
    listsAt: "2026-08-22T10:40:01Z",
    lists: [
      { entryAmount: 50, entries: 13, entriesHash: hex(listHash), covers: "lines", at: "2026-08-22T10:40:00Z" },
      { entryAmount: 250, entries: 1, entriesHash: hex(listHash), covers: "lines", at: "2026-08-22T10:40:00Z" },
    ],
    drawnAt: "2026-08-22T10:42:00Z",
    draws: [
      {
        entryAmount: 50,
        secret: hex(secret),
        beacon: hex(beacon),
        beaconRound: 5234567,
        beaconSignature: hex(sha("signature")),
        entriesHash: hex(listHash),
        covers: "lines",
        entries: 13,
        seed: hex(seed),
        at: "2026-08-22T10:41:30Z",
        sizes: [7, 6],
      },
      {
        entryAmount: 250,
        secret: hex(secret),
        beaconRound: 5234567,
        withoutBeacon: "Drawn without the beacon: no relay gave its round when all of them were asked 31 times from 2026-08-22 10:41:03 UTC to 2026-08-22 11:11:10 UTC. https://api.drand.sh: it could not be reached (31 times).",
        entriesHash: hex(listHash),
        covers: "lines",
        entries: 1,
        seed: hex(seed),
        at: "2026-08-22T11:11:30Z",
        sizes: [],
        alone: ids[0],
        aloneLine: lineOf(userOf(ids[0] ?? "")),
      },
    ],
  };
  return { draw, drawn };
}
const { draw, drawn } = drawing();
export const DRAW = draw;
export const DRAWN = drawn;
export const UNDRAWN = { ...DRAW, drawnAt: null, draws: [] };
