import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { GAMEWEEK, json, playsIn, server, url, USER } from "../../testing/server";

type User = Schemas["MemberView"];
type League = Schemas["LeagueView"];
const of = (username: string, fplId: string, points: number | null = null, bench: number | null = null): User => ({
  fplId,
  username,
  points,
  points_on_bench: bench,
});
const league = (number: number, users: User[], state: League["state"] = "provisional"): League => ({
  _id: `l${number}`,
  number,
  state,
  own: false,
  users,
});

const serve = (...leagues: object[]) => server.use(http.get(url("/api/leagues"), () => json(leagues)));
const closed = () =>
  server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })));

beforeEach(() => logInAs("player"));

describe("leagues (spec section 2)", () => {
  test.each([
    ["the player's own in this gameweek", 3, "u1", 1],
    ["the player's own in another one", 2, "u1", 0],
    ["somebody else's, who was logged in before", 3, "u2", 0],
  ])("of a join in the history, %s, is told", async (_whose, gameweek, userId, times) => {
    serve(league(1, [of("otieno", "7")]));
    openAt("/leagues?amount=50", { joinedFor: 50, gameweek, userId });
    expect(await screen.findByRole("region", { name: "Group #1" })).toBeInTheDocument();
    expect(screen.queryAllByText("You are in: KSh 50 is paid.")).toHaveLength(times);
  });

  test("gameweeks that are refused cost the picker alone: the leagues are shown, and nothing is asked for again and again", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let asked = 0;
    server.use(http.get(url("/api/gameweeks"), () => (asked++, json({ message: "Too many requests." }, { status: 429 }))));
    serve(league(1, [of("wanjiru", "4242")]));
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #1" })).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toBe(1);
    expect(screen.queryByLabelText("Gameweek")).not.toBeInTheDocument();
  });

  test("the own group is marked and first, the own row highlighted, provisional said so", async () => {
    const mine = league(2, [of("achieng", "2"), of("wanjiru", "4242")]);
    serve(league(1, ["otieno", "kamau", "njeri", "barasa", "omondi", "zawadi", "cherono"].map((name, i) => of(name, `1${i}`))), mine);
    server.use(playsIn(mine));
    openAt("/leagues");
    expect(await screen.findByRole("heading", { name: "Leagues - 50 Shs" })).toBeInTheDocument();
    const own = within(await screen.findByRole("region", { name: "Group #2 (Your Group)" }));
    // As the groups have it, though the gameweek tells of fewer: it is up to a minute old.
    expect(screen.getByText(/^9 in: /)).toBeInTheDocument();
    expect(own.getByText("provisional · 2 of 10")).toBeInTheDocument();
    expect(screen.getByText(/^The leagues are provisional until the deadline/)).toBeInTheDocument();
    const row = own.getByRole("row", { current: true });
    expect(row).toHaveTextContent("wanjiru");
    expect(row.className).toContain("own");
    const groups = screen.getAllByRole("region", { name: /^Group/ });
    expect(groups.map((group) => group.querySelector("h2")?.textContent)).toEqual([
      "Group #2 (Your Group)",
      "Group #1",
    ]);
  });

  test("the own group is first from whatever page, and as it is now; without it the list stands", async () => {
    const mine = league(60, [of("wanjiru", "4242", 61, 7)], "drawn");
    server.use(
      http.get(url("/api/me/league"), ({ request }) => {
        expect(request.headers.get("authorization")).toBe("Bearer token-1");
        return json({ league: { ...mine, own: true }, place: 1, fplId: "4242" });
      }),
      http.get(url("/api/leagues"), ({ request }) => {
        expect(request.headers.get("authorization")).toBeNull();
        return json([league(1, [of("otieno", "1", 40, 9)], "drawn"), { ...mine, users: [of("wanjiru", "4242", 50, 7)] }]);
      }),
    );
    const { unmount } = openAt("/leagues");
    const titles = async () => (await screen.findAllByRole("region", { name: /^Group/ })).map((group) => group.querySelector("h2")?.textContent);
    expect(await titles()).toEqual(["Group #60 (Your Group)", "Group #1"]);
    expect(screen.getByText("61")).toBeInTheDocument();
    unmount();
    server.use(http.get(url("/api/me/league"), () => json({}, { status: 503 })));
    serve(league(1, [of("otieno", "1")]));
    openAt("/leagues");
    await waitFor(async () => expect(await titles()).toEqual(["Group #1"]));
  });

  test("begins with 50; the note, and the amount in the header; the profile icon opens the profile", async () => {
    serve(league(1, [of("otieno", "77")]));
    openAt("/leagues");
    expect(await screen.findByRole("tab", { name: "50 Shs Entries", selected: true })).toBeInTheDocument();
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["50 Shs Entries", "100 Shs Entries", "250 Shs Entries"]);
    expect(screen.getByText(/^Click an opponent's username to see their team\./)).toBeInTheDocument();
    const group = within(await screen.findByRole("region", { name: "Group #1" }));
    expect(group.getAllByRole("columnheader").map((head) => head.textContent)).toEqual(["Rank", "Username", "Points"]);
    await userEvent.click(screen.getByRole("tab", { name: "250 Shs Entries" }));
    expect(await screen.findByRole("heading", { name: "Leagues - 250 Shs" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Profile" }));
    expect(await screen.findByRole("dialog", { name: "Profile" })).toBeInTheDocument();
  });

  test.each([
    ["what the address says", "/leagues?amount=50", true, 50],
    ["the entry, also where this phone remembers another one", "/leagues", true, 100],
    ["what this phone entered with last", "/leagues", false, 250],
  ])("begins with %s, and asks for no other amount's", async (_what, address, isIn, amount) => {
    localStorage.setItem("entryAmount", "250");
    const asked = new Set<string | null>();
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 100, prize: 0, refund: 0, at: GAMEWEEK.now };
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: isIn ? [entry] : [], profitAndLoss: 0 })),
      http.get(url("/api/leagues"), ({ request }) => {
        asked.add(new URL(request.url).searchParams.get("entryAmount"));
        return json([league(1, [of("otieno", "77")])]);
      }),
    );
    openAt(address);
    expect(await screen.findByRole("link", { name: "otieno" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: `Leagues - ${amount} Shs` })).toBeInTheDocument();
    expect(screen.getByRole("tab", { name: `${amount} Shs Entries`, selected: true })).toBeInTheDocument();
    expect([...asked]).toEqual([String(amount)]);
  });

  test.each([
    ["entries", "/api/me/entries"],
    ["payments", "/api/me/payments"],
    ["the gameweek", "/api/gameweek/status"],
  ])("where %s cannot be read, the leagues are there all the same", async (_what, path) => {
    server.use(http.get(url(path), () => json({}, { status: 500 })));
    serve(league(1, [of("otieno", "77")]));
    openAt("/leagues?gameweek=3");
    expect(await screen.findByRole("link", { name: "otieno" })).toBeInTheDocument();
  });

  test("a username leads to the official team page of this gameweek in a new tab", async () => {
    serve(league(1, [of("otieno", "77")]));
    openAt("/leagues");
    const link = await screen.findByRole("link", { name: "otieno" });
    expect(link).toHaveAttribute("href", "https://fantasy.premierleague.com/entry/77/event/3");
    expect(link).toHaveAttribute("target", "_blank");
  });

  test("a tab shows its amount's leagues", async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(url("/api/leagues"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("entryAmount"));
        return json([]);
      }),
    );
    openAt("/leagues");
    await userEvent.click(await screen.findByRole("tab", { name: "250 Shs Entries" }));
    expect(await screen.findByRole("heading", { name: "Leagues - 250 Shs" })).toBeInTheDocument();
    expect(await screen.findByText(/No leagues for 250 Shs yet/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See this gameweek" })).toHaveAttribute("href", "/payment");
    expect(asked).toEqual(["50", "250"]);
  });

  test("who is in with another amount is led to the own group, and not to pay again", async () => {
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 100, prize: 0, refund: 0, at: GAMEWEEK.now };
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [entry], profitAndLoss: 0 })));
    serve();
    openAt("/leagues?amount=50");
    expect(await screen.findByText("No leagues for 50 Shs yet. Your own entry is in the 100 Shs leagues.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See your league" })).toHaveAttribute("href", "/leagues?amount=100");
    await userEvent.click(screen.getByRole("tab", { name: "100 Shs Entries" }));
    expect(await screen.findByText("The leagues could not be read just now.")).toBeInTheDocument();
    server.use(playsIn(league(1, [of("wanjiru", USER.fplId)])));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("region", { name: "Group #1 (Your Group)" })).toBeInTheDocument();
  });

  test("after the last gameweek of a season that one's leagues are there", async () => {
    const gameweek = { gameweek: "2026-38", season: 2026, number: 38, state: "settled", deadline: "2027-05-23T13:30:00Z" };
    const asked: (string | null)[] = [];
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, gameweek: null, deadline: null })),
      http.get(url("/api/gameweeks"), () => json([gameweek])),
      http.get(url("/api/leagues"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("gameweek"));
        return json([league(1, [of("otieno", "7", 50, 2)], "settled")]);
      }),
    );
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #1" })).toBeInTheDocument();
    expect(new Set(asked)).toEqual(new Set(["38"]));
  });

  test("an empty group says so", async () => {
    serve(league(1, []));
    openAt("/leagues");
    expect(await screen.findByText("No players in this group yet.")).toBeInTheDocument();
  });

  test("ranked by points, then bench points, which show where somebody has as many (spec section 5)", async () => {
    closed();
    serve(league(1, [of("a", "1", 40, 9), of("b", "2", 61, 3), of("c", "3", 61, 7)], "drawn"));
    openAt("/leagues");
    await screen.findByRole("link", { name: "a" });
    const rows = screen.getAllByRole("row").slice(1).map((row) => row.textContent);
    expect(rows).toEqual(["1c61 bench 7", "2b61 bench 3", "3a40"]);
  });

  test("gross, hits and net, chips, and how certain it all is, with the time", async () => {
    closed();
    const live = { status: "live" as const, points_on_bench: 3 };
    serve({
      ...league(1, [], "drawn"),
      status: "live",
      asOf: "2026-08-22T14:58:00Z",
      users: [
        { ...of("a", "1"), ...live, points: 61, gross: 65, transfersCost: 4, chip: "3xc" },
        { ...of("b", "2"), ...live, points: 50, gross: 50, transfersCost: 8 },
      ],
    });
    openAt("/leagues");
    await screen.findByRole("link", { name: "a" });
    const rows = screen.getAllByRole("row").slice(1).map((row) => row.textContent);
    expect(rows).toEqual(["1aTriple Captain65 − 4 for transfers61", "2b8 for transfers not deducted50"]);
    const group = within(screen.getByRole("region", { name: "Group #1" }));
    expect(group.getByText("live")).toBeInTheDocument();
    expect(group.getByText(/^Live points, as of Sat 22 Aug, 17:58: /)).toBeInTheDocument();
  });

  test.each<[string, Partial<League>]>([
    ["points provisional", { state: "drawn", status: "provisional" }],
    ["final · not paid yet", { state: "drawn", status: "final" }],
    ["final · paid", { state: "settled", status: "final" }],
    ["drawn", { state: "drawn", status: null }],
  ])("a group says %j", async (words, change) => {
    closed();
    server.use(http.get(url("/api/points/1"), () => json({ points: null, points_on_bench: null })));
    serve({ ...league(1, [of("a", "1", change.status ? 40 : null, change.status ? 1 : null)]), ...change });
    openAt("/leagues");
    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  test("a drawn league says what it pays: what it collected less the fee, rounded down; no other gameweek's", async () => {
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed", feePercent: 7 })),
      http.get(url("/api/gameweeks"), () => json([])),
    );
    const nine = Array.from({ length: 9 }, (_, i) => of(`p${i}`, String(i), 40 + i, 1));
    serve(league(1, nine, "drawn"), league(2, nine, "settled"), league(3, nine));
    const { unmount } = openAt("/leagues");
    const pays = async (number: number) =>
      within(await screen.findByRole("region", { name: `Group #${number}` })).queryByText(/^Pays/)?.textContent;
    // 450 less 31.5: the fee is 31.
    expect(await pays(1)).toBe("Pays KSh 419 (9 players)");
    expect(await pays(2)).toBeUndefined();
    expect(await pays(3)).toBeUndefined();
    unmount();
    openAt("/leagues?gameweek=2");
    expect(await pays(1)).toBeUndefined();
  });

  test("after the deadline: the draw is said to follow, nobody has a rank, and nobody is asked to join", async () => {
    closed();
    serve(league(1, [of("otieno", "77"), of("achieng", "2")]));
    const { unmount } = openAt("/leagues");
    expect(await screen.findByText(/^The deadline has passed and the draw comes next/)).toBeInTheDocument();
    // What it will make of them, and nothing of who might still come.
    expect(screen.getByText(/^7 in: one league of 7, which pays KSh 315\.$/)).toBeInTheDocument();
    expect(screen.getAllByRole("row").slice(1).map((row) => row.textContent)).toEqual(["–otieno–", "–achieng–"]);
    unmount();
    serve();
    openAt("/leagues?amount=250");
    expect(await screen.findByText("No leagues for 250 Shs.")).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "See this gameweek" })).not.toBeInTheDocument();
  });

  test("points that the league does not carry: 'Loading...', then the figure, or 0 with a mark (spec section 8)", async () => {
    closed();
    serve(league(1, [of("a", "1"), of("b", "2")], "drawn"));
    const points = gate<Response>();
    server.use(
      http.get(url("/api/points/1"), points.wait),
      http.get(url("/api/points/2"), () => json({ message: "?" }, { status: 503 })),
    );
    openAt("/leagues");
    expect(await screen.findByText("Loading...")).toBeInTheDocument();
    points.open(json({ points: 55, points_on_bench: 4 }));
    expect(await screen.findByText("55")).toBeInTheDocument();
    expect(await screen.findByText("not available")).toBeInTheDocument();
    expect(screen.getByText("0*")).toBeInTheDocument();
  });

  test("the next page of groups comes when asked for", async () => {
    server.use(
      http.get(url("/api/leagues"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor") === "next"
          ? json([league(51, [of("late", "9")])])
          : json([league(1, [of("early", "8")])], { headers: { "x-next-cursor": "next" } }),
      ),
    );
    openAt("/leagues");
    await userEvent.click(await screen.findByRole("button", { name: "Show more leagues" }));
    expect(await screen.findByText("Group #51")).toBeInTheDocument();
  });

  test("the menu leads to /contact, and closes on Escape (spec section 2)", async () => {
    openAt("/leagues");
    const menu = await screen.findByRole("button", { name: "Menu" });
    expect(screen.queryByRole("link", { name: "Contact" })).toBeInTheDocument();
    const items = within(screen.getByRole("navigation", { name: "Menu" }));
    expect(items.queryByRole("link", { name: "Contact" })).not.toBeInTheDocument();
    await userEvent.click(menu);
    expect(menu).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{Escape}");
    expect(items.queryByRole("link", { name: "Contact" })).not.toBeInTheDocument();
    await userEvent.click(menu);
    await userEvent.click(items.getByRole("link", { name: "Contact" }));
    expect(await screen.findByTestId("/contact")).toBeInTheDocument();
  });

  test("'Log out' asks first (spec sections 2 and 9)", async () => {
    openAt("/leagues");
    await userEvent.click(await screen.findByRole("button", { name: "Log out" }));
    expect(await screen.findByText("Are you sure you want to log out?")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Yes, log out" }));
    expect(await screen.findByTestId("/")).toBeInTheDocument();
    expect(localStorage.getItem("token")).toBeNull();
  });

  test("leagues that cannot be read: logged, and said with a way on (spec section 8)", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    server.use(http.get(url("/api/leagues"), () => json({}, { status: 500 })));
    openAt("/leagues");
    expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
    expect(logged).toHaveBeenCalled();
  });
});
