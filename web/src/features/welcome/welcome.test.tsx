import { act, screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { GAMEWEEK, json, noAnswer, server, SETTINGS, told, url } from "../../testing/server";

const week = (number: number, more: Partial<Schemas["GameweekSoFar"]> = {}): Schemas["GameweekSoFar"] => ({
  season: 2026,
  number,
  state: "settled",
  deadline: "2026-08-15T10:30:00Z",
  drawnAt: "2026-08-15T10:42:00Z",
  settledAt: "2026-08-18T08:00:00Z",
  prizes: 585,
  feePercent: 10, amounts: [
    { entryAmount: 50, entries: 1, leagues: 0 },
    { entryAmount: 100, entries: 13, leagues: 2 },
  ],
  ...more,
});
const place = (rank: number, username: string, points: number, prize: number) => ({
  rank,
  username,
  fplId: String(rank),
  gross: points,
  transfersCost: 0,
  points,
  pointsOnBench: 3,
  prize,
  refund: 0,
});
const LEAGUE = {
  league: "2026-02-100-00001",
  basis: "two-readings",
  at: "2026-08-18T08:00:00Z",
  deductTransferPoints: true,
  collected: 700,
  fee: 70,
  feePercent: 10,
  rounding: 0,
  figuresHash: "00",
  ranking: [place(1, "zawadi", 78, 630), place(2, "barasa", 70, 0), place(3, "cherono", 66, 0), place(4, "omondi", 50, 0)],
};

const asItIs = (weeks: object[] = [week(3, { state: "open", settledAt: null, drawnAt: null, prizes: null, amounts: [] }), week(2)]) =>
  server.use(
    http.get(url("/api/gameweeks"), () => json(weeks)),
    http.get(url("/api/leagues/2026-02-100-00001/settlement"), () => json(LEAGUE)),
  );

const part = async (name: string) => within(await screen.findByRole("region", { name }));

test("under the form: how it works, this gameweek, what was paid, one league, and why it is fair", async () => {
  asItIs();
  openAt("/");
  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
  expect((await part("How it works")).getAllByRole("listitem")).toHaveLength(3);
  const gameweek = await part("Gameweek 3");
  expect(gameweek.getByText("Sat 22 Aug, 13:30")).toBeInTheDocument();
  expect(gameweek.getByText("8 entries so far.")).toBeInTheDocument();
  expect(gameweek.getByText("If the draw came now:")).toBeInTheDocument();
  expect(gameweek.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
    "KSh 507 in: one league of 7, which pays KSh 315. 3 more make one league of ten, KSh 450.",
    "KSh 1000 in. 10 players make one league of ten, KSh 900.",
    "KSh 2501 in: one player alone gets the money back. 9 more make one league of ten, KSh 2,250.",
  ]);
  const paid = await part("Gameweek 2 paid KSh 585");
  expect(paid.getByText("In prizes. 13 entries were drawn into 2 leagues.")).toBeInTheDocument();
  expect(paid.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
    "1. zawadi78 pointsKSh 630",
    "2. barasa70 points",
    "3. cherono66 points",
  ]);
  expect(paid.getByRole("link", { name: /^The whole league/ })).toHaveAttribute("href", "/leagues/2026-02-100-00001/settlement");
  const fair = await part("How you know that it is fair");
  expect(fair.getByText(/pays 90 % of what it collects\. 10 % is our fee/)).toBeInTheDocument();
  expect(fair.getByRole("link", { name: "Make the last draw again" })).toHaveAttribute("href", "/gameweeks/2026-02/draw");
});

test("a league whose stakes went back is no example of one that was paid", async () => {
  asItIs();
  const givenBack = LEAGUE.ranking.map((one) => ({ ...one, rank: null, prize: 0, refund: 100 }));
  server.use(http.get(url("/api/leagues/2026-02-100-00001/settlement"), () => json({ ...LEAGUE, ranking: givenBack })));
  openAt("/");
  const paid = await part("Gameweek 2 paid KSh 585");
  expect(paid.queryByRole("link", { name: /^The whole league/ })).not.toBeInTheDocument();
  expect(paid.queryAllByRole("listitem")).toHaveLength(0);
});

test("where the operator may not advertise nobody's win is shown, nor asked for", async () => {
  let asked = false;
  asItIs();
  server.use(
    http.get(url("/api/settings"), () => json({ ...SETTINGS, promotions: false })),
    http.get(url("/api/leagues/:id/settlement"), () => {
      asked = true;
      return json(LEAGUE);
    }),
  );
  openAt("/");
  const fair = await part("How you know that it is fair");
  expect(screen.queryByText(/paid KSh/)).not.toBeInTheDocument();
  expect(fair.queryByRole("link", { name: "Read one" })).not.toBeInTheDocument();
  expect(asked).toBe(false);
});

test("figures that cannot be had are left out, and the rest is there", async () => {
  server.use(
    http.get(url("/api/gameweek/status"), noAnswer),
    http.get(url("/api/gameweeks"), () => told(500, "not now")),
    http.get(url("/api/settings"), noAnswer),
  );
  openAt("/");
  const fair = await part("How you know that it is fair");
  expect(fair.getByText("The draw")).toBeInTheDocument();
  expect(fair.queryByText("The fee")).not.toBeInTheDocument();
  expect(screen.queryByRole("region", { name: /^Gameweek/ })).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Login" })).toBeEnabled();
});

test("who comes back to the page later reads the figures of then; what cannot be read again stays", async () => {
  asItIs();
  const read = vi.fn(() => json(GAMEWEEK));
  server.use(http.get(url("/api/gameweek/status"), read));
  openAt("/");
  await part("Gameweek 3");
  const comeBack = (after: number) => {
    vi.spyOn(Date, "now").mockReturnValue(began + after);
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const began = Date.now();
  comeBack(30_000);
  expect(read).toHaveBeenCalledTimes(1);
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, gameweek: 4 })));
  comeBack(90_000);
  await part("Gameweek 4");
  const fails = vi.fn(noAnswer);
  server.use(http.get(url("/api/gameweek/status"), fails));
  comeBack(180_000);
  await waitFor(() => expect(fails).toHaveBeenCalledTimes(1));
  await act(() => new Promise((done) => setTimeout(done, 100)));
  await part("Gameweek 4");
  await part("Gameweek 2 paid KSh 585");
});

test("twelve are in: no row promises the prize of a full league", async () => {
  asItIs();
  const [fifty, ...others] = GAMEWEEK.amounts;
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, amounts: [{ ...fifty, entries: 12 }, ...others] })));
  openAt("/");
  const gameweek = await part("Gameweek 3");
  expect(gameweek.getByText("12 in: two leagues of 6, each pays KSh 270. 8 more make two of ten, KSh 450 each.")).toBeInTheDocument();
});

test("what is left goes on by itself, and who watches the deadline pass is not told to join", async () => {
  asItIs();
  const now = new Date(Date.parse("2026-08-22T10:30:00Z") - 1_500).toISOString();
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now })));
  openAt("/");
  const gameweek = await part("Gameweek 3");
  expect(gameweek.getByRole("timer")).toHaveTextContent("0:02");
  expect(await gameweek.findByText(/The deadline was/, undefined, { timeout: 4_000 })).not.toHaveTextContent("left");
});

test("nothing to play, or the deadline has passed: it says no more than that", async () => {
  asItIs([]);
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed", now: "2026-08-22T15:00:00Z" })));
  const { unmount } = openAt("/");
  const gameweek = await part("Gameweek 3");
  expect(gameweek.getByText(/The deadline was/)).not.toHaveTextContent("left");
  expect(gameweek.getByText("8 entries.")).toBeInTheDocument();
  expect(gameweek.queryByText("If the draw came now:")).not.toBeInTheDocument();
  expect(gameweek.getAllByRole("listitem").map((row) => row.textContent)).toEqual(["KSh 507 joined", "KSh 1000 joined", "KSh 2501 joined"]);
  unmount();
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, gameweek: null, deadline: null, amounts: [] })));
  openAt("/");
  await part("How you know that it is fair");
  expect(screen.queryByRole("region", { name: /^Gameweek/ })).not.toBeInTheDocument();
});

test("the form alone is at /login, and nothing is asked for by who is logged in", async () => {
  const asked = vi.fn(() => json([]));
  server.use(http.get(url("/api/gameweeks"), asked));
  const { unmount } = openAt("/login");
  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
  expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
  unmount();
  logInAs("player");
  openAt("/");
  expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  expect(asked).not.toHaveBeenCalled();
});
