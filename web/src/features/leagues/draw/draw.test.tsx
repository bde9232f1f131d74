import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { createHash, createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs, openAt } from "../../../testing/app";
import { json, server, told, url } from "../../../testing/server";

const sha = (...parts: (Buffer | string)[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** A draw of thirteen, made here by node's own crypto. */
function drawOf(players: number) {
  const ids = Array.from({ length: players }, (_, i) => `id${String(i).padStart(2, "0")}`);
  const userOf = (entryId: string) => ({
    entryId,
    fplId: String(Number(entryId.slice(2)) + 1),
    username: `name of ${entryId}`,
    salt: `salt${entryId}`,
    nameHash: sha(`salt${entryId}name of ${entryId}`).toString("hex"),
  });
  const lineOf = ({ entryId, fplId, nameHash }: ReturnType<typeof userOf>) => `${entryId} ${fplId} ${nameHash}\n`;
  const [secret, beacon] = [sha("the operator's secret"), sha("the beacon")];
  const listHash = sha(ids.map((id) => lineOf(userOf(id))).join(""));
  const seed = sha(secret, beacon, listHash);
  const place = (id: string) => createHmac("sha256", seed).update(id).digest("hex");
  const ordered = ids.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  const groups = [ordered.slice(0, 7), ordered.slice(7)].filter((members) => members.length > 0);
  const leagues = groups.map(
    (members, i): Schemas["LeagueView"] => ({
      _id: `2026-03-50-0000${i + 1}`,
      number: i + 1,
      state: "drawn",
      own: false,
      users: members.map(userOf),
    }),
  );
  const draw: Schemas["Draw"] = {
    gameweek: 3,
    season: 2026,
    secretHash: sha(secret).toString("hex"),
    deadline: "2026-08-22T10:30:00Z",
    fence: "2026-08-22T10:40:00Z",
    beaconAddresses: ["https://api.drand.sh", "https://drand.cloudflare.com"],
    beaconChain: "52db9ba70e0c",
    beaconRound: 5234567,
    listsAt: "2026-08-22T10:40:01Z",
    lists: [
      { entryAmount: 50, entries: players, entriesHash: listHash.toString("hex"), covers: "lines", at: "2026-08-22T10:40:00Z" },
    ],
    drawnAt: "2026-08-22T10:42:00Z",
    draws: [
      {
        entryAmount: 50,
        secret: secret.toString("hex"),
        beaconRound: 5234567,
        beacon: beacon.toString("hex"),
        entriesHash: listHash.toString("hex"),
        covers: "lines",
        entries: players,
        seed: seed.toString("hex"),
        at: "2026-08-22T10:41:30Z",
        sizes: groups.map((members) => members.length),
      },
    ],
  };
  return { draw, leagues };
}

function serve({ draw, leagues }: ReturnType<typeof drawOf>) {
  server.use(
    http.get(url("/api/gameweeks/3/draw"), () => json(draw)),
    http.get(url("/api/me/league"), () => json({ league: { ...leagues[1], own: true }, place: null, fplId: leagues[1]!.users[0]!.fplId })),
    http.get(url("/api/leagues"), ({ request }) =>
      new URL(request.url).searchParams.get("cursor")
        ? json(leagues.slice(1))
        : json(leagues.slice(0, 1), { headers: { "x-next-cursor": "p2" } }),
    ),
  );
}

async function check() {
  openAt("/gameweeks/3/draw");
  await userEvent.click(await screen.findByRole("button", { name: "Check it in this browser" }));
}

describe("the draw", () => {
  test("the browser makes it again from every page of leagues and says yes, the own league by its number", async () => {
    logInAs("player");
    serve(drawOf(13));
    await check();
    expect(await screen.findByText("Yes: the draw made these leagues.")).toBeInTheDocument();
    expect(screen.getByText("13 players in 2 leagues: one of 7, one of 6.")).toBeInTheDocument();
    expect(screen.getByText("Your Group #2 has exactly the players that the draw puts there.")).toBeInTheDocument();
    expect(screen.getAllByText("Yes")).toHaveLength(6);
  });

  test("one league is not called all of them", async () => {
    const made = drawOf(7);
    serve(made);
    server.use(http.get(url("/api/leagues"), () => json(made.leagues)));
    await check();
    expect(await screen.findByText("Yes: the draw made these leagues.")).toBeInTheDocument();
    expect(screen.getByText("The one league is exactly as that seed makes it.")).toBeInTheDocument();
  });

  test.each<[string, (made: ReturnType<typeof drawOf>) => void, RegExp]>([
    [
      "two players that were exchanged",
      ({ leagues: [a, b] }) => ([a!.users[0], b!.users[0]] = [b!.users[0]!, a!.users[0]!]),
      /^All 2 leagues/,
    ],
    ["a player who was left out", ({ leagues: [a] }) => void a!.users.pop(), /are the list that was fixed/],
    [
      "two teams that were exchanged",
      ({ leagues: [a, b] }) => ([a!.users[0]!.fplId, b!.users[0]!.fplId] = [b!.users[0]!.fplId, a!.users[0]!.fplId]),
      /are the list that was fixed/,
    ],
    [
      "two names that were exchanged",
      ({ leagues: [a, b] }) =>
        ([a!.users[0]!.username, b!.users[0]!.username] = [b!.users[0]!.username, a!.users[0]!.username]),
      /^Each team and name/,
    ],
    ["another secret", ({ draw }) => (draw.secretHash = "00"), /^The secret is the one/],
    ["another seed", ({ draw }) => (draw.draws[0]!.seed = "00"), /^The seed comes from/],
  ])("%s: no, and which", async (_what, change, which) => {
    const made = drawOf(13);
    change(made);
    serve(made);
    await check();
    expect(await screen.findByText("No: this does not fit together.")).toBeInTheDocument();
    expect(screen.getByText(which).closest("li")).toHaveTextContent(/^No/);
  });

  test("leagues that cannot be read: nothing was checked", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    serve(drawOf(13));
    server.use(http.get(url("/api/leagues"), () => json({}, { status: 500 })));
    await check();
    expect(await screen.findByRole("alert")).toHaveTextContent("Nothing was checked.");
  });

  test("before it: the hash of the secret, and when it comes", async () => {
    const { draw } = drawOf(13);
    server.use(http.get(url("/api/gameweeks/3/draw"), () => json({ ...draw, drawnAt: null, draws: [] })));
    openAt("/gameweeks/3/draw");
    expect(await screen.findByText(/^Not drawn yet: that comes after Sat 22 Aug, 13:40\./)).toBeInTheDocument();
    expect(screen.getByText(draw.lists[0]!.entriesHash)).toBeInTheDocument();
    expect(screen.getByText(`cargo run -p local -- verify-draw 2026-03 ${location.origin} --entry '<your line>'`)).toBeInTheDocument();
    expect(screen.getByText(draw.secretHash!)).toBeInTheDocument();
  });

  test("a gameweek that there is none of", async () => {
    server.use(http.get(url("/api/gameweeks/99/draw"), () => told(404, "No such gameweek.")));
    openAt("/gameweeks/99/draw");
    expect(await screen.findByText("There is no such gameweek.")).toBeInTheDocument();
  });
});
