import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { fifteen, listed, member, onPitch, SAKA, type Member, type Player } from "../../testing/match-day";
import { GAMEWEEK, json, playsIn, server, url, USER } from "../../testing/server";

let rows: Member[];
let asked: string[];

beforeEach(() => {
  logInAs("player");
  asked = [];
  rows = [member("otieno", "77", 61, onPitch), member("wanjiru", USER.fplId, 58, { ...onPitch, captain: "Isak", playing: 0, played: 6 })];
  server.use(
    http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })),
    http.get(url("/api/leagues"), ({ request }) => {
      asked.push(request.url);
      const one = new URL(request.url).searchParams.get("league") === "1";
      const plain = rows.map(({ captain: _c, played: _p, playing: _n, left: _l, ...rest }) => rest);
      return json([one ? { ...listed(rows), playing: true } : listed(plain)]);
    }),
    http.get(url("/api/points/77"), () =>
      json({ points: 61, status: "live", team: { playing: true, players: fifteen({ 6: SAKA, 13: { cameFor: null }, 9: { cameFor: 12, points: 1 } }) } }),
    ),
    http.get(url(`/api/points/${USER.fplId}`), () =>
      json({ points: 58, status: "live", team: { playing: true, players: fifteen({ 6: { id: 40, name: "Isak", captain: true, multiplier: 2, stage: "left", points: 0, why: [] } }) } }),
    ),
  );
});

const openTeam = async () => {
  openAt("/leagues");
  await userEvent.click(await screen.findByRole("button", { name: /^Team of otieno: captain Saka 4 played · 2 playing · 5 left$/ }));
  return within(await screen.findByRole("dialog", { name: "otieno" }));
};

test("each member's captain and how many are still to come; what is none is left out", async () => {
  openAt("/leagues");
  expect(await screen.findByRole("button", { name: "Team of wanjiru: captain Isak 6 played · 5 left" })).toBeInTheDocument();
  expect(screen.getByText("4 played · 2 playing · 5 left")).toBeInTheDocument();
  // The username still leads to the official page (spec section 2).
  expect(screen.getByRole("link", { name: "otieno" })).toHaveAttribute("target", "_blank");
});

test("before the draw no team can be opened, and none is asked for", async () => {
  server.use(http.get(url("/api/leagues"), ({ request }) => {
    asked.push(request.url);
    return json([{ ...listed(rows), state: "provisional" }]);
  }));
  openAt("/leagues");
  await screen.findByRole("link", { name: "otieno" });
  expect(screen.queryByRole("button", { name: /^Team of/ })).not.toBeInTheDocument();
  expect(asked.filter((address) => address.includes("league="))).toEqual([]);
});

test("a tap opens the team: lines, armband, who came on, bonus that may come, and why", async () => {
  const dialog = await openTeam();
  const pitch = within(await dialog.findByRole("group", { name: "Team of otieno" }));
  expect(pitch.getAllByRole("button")).toHaveLength(15);
  await userEvent.click(pitch.getByRole("button", { name: "Saka 16 points, captain, playing, 6 bonus may come" }));
  const why = within(pitch.getByRole("region", { name: "Saka" }));
  expect([...why.getAllByRole("term")].map((term) => term.textContent)).toEqual([
    "71 minutes",
    "1 goal",
    "4 throw ins",
    "Together",
    "As captain, 2 times",
  ]);
  expect([...why.getAllByRole("definition")].map((value) => value.textContent)).toEqual(["2", "5", "1", "8", "16"]);
  expect(why.getByText("Playing now. 3 bonus as it stands, not counted yet.")).toBeInTheDocument();
  await userEvent.click(pitch.getByRole("button", { name: "Player 9 1 point, came on" }));
  expect(pitch.getByText("Played. Came on for Player 12.")).toBeInTheDocument();
});

test("who has played one of two matches shows what it brought, and that a match is still to come", async () => {
  const twice: Partial<Player> = { name: "Rice", stage: "left", points: 6, why: [{ what: "minutes", count: 90, points: 2 }] };
  server.use(
    http.get(url("/api/points/77"), () =>
      json({ points: 61, status: "live", team: { playing: false, players: fifteen({ 6: twice, 7: { stage: "left", points: 0, why: [] } }) } }),
    ),
  );
  const dialog = await openTeam();
  const pitch = within(await dialog.findByRole("group", { name: "Team of otieno" }));
  const tile = pitch.getByRole("button", { name: "Rice 6 points, a match is still to come" });
  expect(tile).toHaveTextContent(/Rice6$/);
  expect(pitch.getByRole("button", { name: "Player 7 0 points, yet to play" })).toHaveTextContent(/–$/);
  await userEvent.click(tile);
  expect(pitch.getByText("A match is still to come.")).toBeInTheDocument();
});

test("of a footballer without lines it is said that he did not play only where he brought nothing", async () => {
  const players = fifteen({ 6: { stage: "played", points: 6, why: [] }, 7: { stage: "played", points: 0, why: [] } });
  server.use(http.get(url("/api/points/77"), () => json({ points: 61, status: "live", team: { playing: true, players } })));
  const dialog = await openTeam();
  const pitch = within(await dialog.findByRole("group", { name: "Team of otieno" }));
  await userEvent.click(pitch.getByRole("button", { name: /^Player 6 / }));
  expect(within(pitch.getByRole("region", { name: "Player 6" })).getByText("Played.")).toBeInTheDocument();
  await userEvent.click(pitch.getByRole("button", { name: /^Player 7 / }));
  expect(within(pitch.getByRole("region", { name: "Player 7" })).getByText("Did not play.")).toBeInTheDocument();
});

test("a settled league is as its record has it: refunded stakes have no ranks, and nothing more is asked for", async () => {
  const asks = vi.fn();
  const refunded = rows.map((row) => ({ ...row, points: null, points_on_bench: null, status: undefined, rank: null, refund: 50 }));
  server.use(
    http.get(url("/api/leagues"), () => json([{ ...listed(refunded), state: "settled", status: undefined }])),
    http.get(url("/api/points/77"), () => {
      asks();
      return json({ points: 61, status: "live" });
    }),
  );
  openAt("/leagues");
  expect(await screen.findAllByText("refunded KSh 50")).toHaveLength(2);
  expect(screen.getByText("entries given back")).toBeInTheDocument();
  expect(screen.queryByText("final · paid")).not.toBeInTheDocument();
  const table = within(screen.getByRole("table"));
  expect(table.getAllByRole("row").slice(1).map((row) => row.querySelector("td")?.textContent)).toEqual(["–", "–"]);
  expect(table.getAllByRole("row").slice(1).map((row) => row.querySelector("td:last-child")?.textContent)).toEqual(["–", "–"]);
  expect(asks).not.toHaveBeenCalled();
});

test.each([
  ["final", 61, "61 points, official"],
  ["provisional", 61, "61 points, by our own figures"],
    [null, null, "– no points counted"],
] as const)("a settled league says whose figures it was settled on (%s)", async (status, points, words) => {
  const record = rows.map((row) => ({ ...row, points, points_on_bench: points && 3, status, rank: points && 1, prize: 0, refund: 0 }));
  server.use(http.get(url("/api/leagues"), () => json([{ ...listed(record), state: "settled", status: "final" }])));
  openAt("/leagues");
  await userEvent.click(await screen.findByRole("button", { name: /otieno/ }));
  const dialog = await screen.findByRole("dialog");
  await waitFor(() => expect(dialog).toHaveTextContent(words));
});

test("a settled league keeps the order and the ranks of its record", async () => {
  const record = [member("otieno", "77", 0, { rank: 1 }), member("wanjiru", USER.fplId, -4, { rank: 2 }), { ...member("kamau", "88", 0, { rank: 3 }), points: null, points_on_bench: null }];
  server.use(http.get(url("/api/leagues"), () => json([{ ...listed(record), state: "settled", status: "final" }])));
  openAt("/leagues");
  await screen.findByRole("link", { name: "kamau" });
  const table = within(screen.getByRole("table"));
  expect(table.getAllByRole("row").slice(1).map((row) => `${row.querySelector("td")?.textContent} ${row.querySelector("a")?.textContent}`)).toEqual(["1 otieno", "2 wanjiru", "3 kamau"]);
});

test("a bench counts for nothing only once nothing moves any more", async () => {
  const dialog = await openTeam();
  await userEvent.click(await dialog.findByRole("button", { name: /^Player 13 / }));
  expect(dialog.getByText("Played. On the bench: counts only if he comes on at the end.")).toBeInTheDocument();
});

test("a drawn league whose teams are not read yet says so in the same place", async () => {
  rows = rows.map(({ captain: _c, played: _p, playing: _n, left: _l, ...rest }) => rest);
  openAt("/leagues");
  expect(await screen.findAllByText("not known yet who plays")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /^Team of/ })).not.toBeInTheDocument();
});

test("a league that could not be asked for by itself says nothing of its teams", async () => {
  server.use(http.get(url("/api/leagues"), ({ request }) => (new URL(request.url).searchParams.get("league") ? json({}, { status: 500 }) : json([listed(rows.map(({ captain: _c, played: _p, playing: _n, left: _l, ...rest }) => rest))]))));
  openAt("/leagues");
  expect(await screen.findByText("61")).toBeInTheDocument();
  await waitFor(() => expect(document.querySelector("table [aria-hidden='true']")).not.toBeInTheDocument());
  expect(screen.queryByText("not known yet who plays")).not.toBeInTheDocument();
});

test("a team that is not read yet, or cannot be, says so", async () => {
  server.use(http.get(url("/api/points/77"), () => json({ points: null })));
  const dialog = await openTeam();
  expect(await dialog.findByText(/^The team could not be read yet/)).toBeInTheDocument();
});

const ENTRY = { gameweek: "2026-03", season: 2026, number: 3, amount: 50, prize: 0, refund: 0, league: "2026-03-50-00001", at: "2026-08-20T08:00:00Z" };

/** What the page asks for in so many minutes. */
async function askedIn(minutes: number) {
  const paths: string[] = [];
  const note = ({ request }: { request: Request }) => void paths.push(request.url.replace(location.origin, ""));
  server.events.on("request:start", note);
  for (let passed = 0; passed < minutes; passed += 1) await act(() => vi.advanceTimersByTimeAsync(60_000));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  server.events.removeListener("request:start", note);
  return paths;
}

test.each([
  ["who plays in it", [ENTRY], true, /^You are playing:/],
  ["who looks on", [], false, "You did not join."],
])("a minute of the live page, for %s, asks for the gameweek and the league on the screen, and nothing of the player's", async (_who, entries, own, text) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(
    http.get(url("/api/me/entries"), () => json({ entries, profitAndLoss: 0 })),
    http.get(url("/api/me/league"), () => json({ league: own ? { ...listed(rows), own } : null, place: null, fplId: own ? USER.fplId : null })),
  );
  openAt("/leagues");
  await screen.findByRole("button", { name: /^Team of otieno/ });
  expect(screen.getByText(text)).toBeInTheDocument();
  expect([...new Set(await askedIn(1))].sort()).toEqual([
    "/api/gameweek/status",
    "/api/leagues?gameweek=3&entryAmount=50&league=1",
  ]);
  expect((await askedIn(10)).filter((path) => path === "/api/me/entries")).toHaveLength(entries.length);
});

// The server's tests count what these four cost.
test("with two teams side by side a minute asks for these two as well, and for nothing else", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  server.use(
    http.get(url("/api/me/entries"), () => json({ entries: [ENTRY], profitAndLoss: 0 })),
    playsIn(listed(rows)),
  );
  openAt("/leagues");
  await user.click(await screen.findByRole("button", { name: /^Team of otieno/ }));
  await user.click(await screen.findByRole("button", { name: "Beside mine" }));
  await screen.findByRole("region", { name: "Only you" });
  expect([...new Set(await askedIn(1))].sort()).toEqual([
    "/api/gameweek/status",
    "/api/leagues?gameweek=3&entryAmount=50&league=1",
    `/api/points/${USER.fplId}?league=l1&team=true`,
    "/api/points/77?league=l1&team=true",
  ]);
});

test("of a league that has been scrolled away nothing is asked for until it is on the screen again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let see: (near: boolean) => void = () => {};
  vi.stubGlobal("IntersectionObserver", class {
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      see = (near) => tell([{ isIntersecting: near }]);
    }
    observe() {
      see(true);
    }
    disconnect() {}
  });
  openAt("/leagues");
  await screen.findByRole("button", { name: /^Team of otieno/ });
  const live = "/api/leagues?gameweek=3&entryAmount=50&league=1";
  expect((await askedIn(3)).filter((path) => path === live)).toHaveLength(3);
  act(() => see(false));
  expect(await askedIn(3)).not.toContain(live);
  expect(screen.getByRole("button", { name: /^Team of otieno/ })).toBeInTheDocument();
  act(() => see(true));
  expect(await askedIn(1)).toContain(live);
});

test("whose points are official already is told of each, while others' still move", async () => {
  rows = [{ ...rows[0]!, status: "final" }, rows[1]!];
  openAt("/leagues");
  const official = await screen.findByText("official");
  expect(official.closest("tr")).toHaveTextContent("otieno");
  expect(screen.getAllByText("official")).toHaveLength(1);
});

test("once the points are final the settlement may come: the entry is read each minute again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let state = "closed";
  server.use(
    http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state })),
    http.get(url("/api/me/entries"), () => json({ entries: [ENTRY], profitAndLoss: 0 })),
  );
  openAt("/leagues");
  await screen.findByText(/^You are playing:/);
  state = "final";
  await askedIn(1);
  expect(await askedIn(3)).toEqual(expect.arrayContaining(["/api/me/entries"]));
  expect((await askedIn(3)).filter((path) => path === "/api/me/entries")).toHaveLength(3);
});

/** Rows as a browser lays them out, and whether the phone asks for less motion. Answers the glides that are begun. */
function watchGlides(reduced: boolean) {
  const animate = vi.fn();
  Object.defineProperty(HTMLElement.prototype, "offsetTop", {
    configurable: true,
    get(this: HTMLElement) {
      return 40 * [...(this.parentElement?.children ?? [])].indexOf(this);
    },
  });
  Element.prototype.animate = animate;
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("no-preference") !== reduced,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  return animate;
}
const { offsetTop } = Object.getOwnPropertyDescriptors(HTMLElement.prototype);
afterEach(() => {
  Reflect.deleteProperty(Element.prototype, "animate");
  Object.defineProperty(HTMLElement.prototype, "offsetTop", offsetTop);
});

test.each([
  ["glide to their new places", false, 2],
  ["are there at once for who asks for less motion", true, 0],
])("rows %s", async (_what, reduced, glides) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const animate = watchGlides(reduced);
  openAt("/leagues");
  await screen.findByRole("button", { name: /^Team of otieno/ });
  animate.mockClear();
  rows = [{ ...rows[1]!, points: 70 }, rows[0]!];
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByRole("img", { name: "up 1" })).toBeInTheDocument();
  expect(animate).toHaveBeenCalledTimes(glides);
});

test("ranks move by themselves while matches are on, with how far; asked for one league only", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openAt("/leagues");
  await screen.findByRole("button", { name: /^Team of otieno/ });
  const before = asked.length;
  rows = [{ ...rows[1]!, points: 70 }, rows[0]!];
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByRole("img", { name: "up 1" })).toBeInTheDocument();
  expect(screen.getByRole("img", { name: "down 1" })).toBeInTheDocument();
  expect(screen.getAllByRole("row")[1]).toHaveTextContent("wanjiru");
  const since = asked.slice(before);
  expect(since.length).toBeGreaterThan(0);
  expect(since.every((address) => address.includes("league=1"))).toBe(true);
});

test("from where all are level nobody falls: places are counted once they differ", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const at = (own: number, other: number) => (rows = [{ ...rows[0]!, points: other }, { ...rows[1]!, points: own }]);
  at(0, 0);
  openAt("/leagues");
  await screen.findByRole("button", { name: /^Team of otieno/ });
  const moves = () => screen.queryAllByRole("img", { name: /^(up|down) \d/ }).map((arrow) => arrow.getAttribute("aria-label"));
  at(0, 6);
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(screen.getAllByRole("row")[1]).toHaveTextContent(/otieno.*6$/);
  expect(moves()).toEqual([]);
  at(7, 6);
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(screen.getAllByRole("row")[1]).toHaveTextContent(/wanjiru.*7$/);
  expect(moves()).toEqual(["up 1", "down 1"]);
});
