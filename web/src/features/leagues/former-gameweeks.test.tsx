import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, server, url } from "../../testing/server";

const drawn = (...users: object[]) => ({ _id: "l1", number: 1, state: "drawn", own: false, users });
const of = (username: string, fplId: string, points: number) => ({ fplId, username, points, points_on_bench: 1 });
const ENTRY = { gameweek: "2026-02", season: 2026, number: 2, amount: 100, prize: 0, refund: 0, league: "2026-02-100-00001", at: "2026-08-14T08:00:00Z" };
const WEEK = { season: 2026, state: "closed", deadline: "2026-08-15T10:30:00Z", amounts: [] };

beforeEach(() => logInAs("player"));

describe("leagues of another gameweek than the current one", () => {
  test("a former gameweek's leagues pay by its own fee; one that was called off pays nothing", async () => {
    const weeks = [{ ...WEEK, number: 2, feePercent: 20 }, { ...WEEK, number: 1, feePercent: 20, calledOff: "A flood." }];
    server.use(http.get(url("/api/gameweeks"), () => json(weeks)));
    server.use(http.get(url("/api/leagues"), () => json([drawn(of("a", "1", 40), of("b", "2", 30))])));
    const { unmount } = openAt("/leagues?gameweek=2");
    expect(await screen.findByText("Pays KSh 80 (2 players)")).toBeInTheDocument();
    unmount();
    openAt("/leagues?gameweek=1");
    expect(await screen.findByRole("link", { name: "a" })).toBeInTheDocument();
    expect(screen.queryByText(/^Pays/)).not.toBeInTheDocument();
  });

  test("who has not joined the next gameweek comes to the league that is still played", async () => {
    const asked: string[] = [];
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [ENTRY], profitAndLoss: 0 })),
      http.get(url("/api/leagues"), ({ request }) => {
        asked.push(new URL(request.url).search);
        return json([drawn(of("otieno", "77", 40))]);
      }),
    );
    const { unmount } = openAt("/leagues");
    expect(await screen.findByRole("heading", { name: "Leagues - 100 Shs" })).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "otieno" })).toHaveAttribute("href", "https://fantasy.premierleague.com/entry/77/event/2");
    unmount();
    openAt("/payment");
    const told = await screen.findByRole("link", { name: /^Gameweek 2: You are playing: KSh.100, Group #1\.$/ });
    expect(told).toHaveAttribute("href", "/leagues?gameweek=2&amount=100");
    expect(asked.every((search) => search.includes("gameweek=2") && search.includes("entryAmount=100"))).toBe(true);
  });

  test("who has joined the next gameweek is led to the league that is still played", async () => {
    const next = { ...ENTRY, gameweek: "2026-03", number: 3, amount: 50, league: null, at: "2026-08-20T08:00:00Z" };
    const weeks = [3, 2].map((number) => ({ ...WEEK, number, feePercent: 10 }));
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [next, ENTRY], profitAndLoss: 0 })),
      http.get(url("/api/gameweeks"), () => json(weeks)),
      http.get(url("/api/leagues"), ({ request }) => json([new URL(request.url).searchParams.get("gameweek") === "2" ? drawn(of("otieno", "77", 40)) : drawn(of("achieng", "88", 0))])),
    );
    const { unmount } = openAt("/leagues");
    expect(await screen.findByText(/^You are in: KSh.50\.$/)).toBeInTheDocument();
    expect(screen.getByLabelText("Gameweek")).toHaveValue("3");
    await userEvent.click(await screen.findByRole("link", { name: /^Gameweek 2: You are playing: KSh.100, Group #1\.$/ }));
    expect(await screen.findByRole("link", { name: "otieno" })).toBeInTheDocument();
    expect(screen.getByLabelText("Gameweek")).toHaveValue("2");
    expect(screen.queryByRole("link", { name: /^Gameweek 2: You are playing/ })).not.toBeInTheDocument();
    unmount();
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [next, { ...ENTRY, rank: 4, points: 40 }], profitAndLoss: 0 })));
    openAt("/leagues");
    expect(await screen.findByText(/^You are in: KSh.50\.$/)).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "achieng" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /^Gameweek 2/ })).not.toBeInTheDocument();
  });

  test("a former season's league that is still in play is told of, and is none of this season's", async () => {
    const asked: (string | null)[] = [];
    const last = { ...ENTRY, gameweek: "2025-38", season: 2025, number: 38, league: "2025-38-100-00001", at: "2026-05-23T08:00:00Z" };
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [last], profitAndLoss: 0 })),
      http.get(url("/api/leagues"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("gameweek"));
        return json([drawn(of("otieno", "77", 40))]);
      }),
    );
    const { unmount } = openAt("/leagues");
    expect(await screen.findByRole("link", { name: "otieno" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /^Gameweek 38: You are playing/ })).toHaveAttribute("href", "/entries");
    expect(new Set(asked)).toEqual(new Set(["3"]));
    unmount();
    openAt("/payment");
    expect(await screen.findByRole("link", { name: /^Gameweek 38: You are playing/ })).toHaveAttribute("href", "/entries");
  });

  test("a league that is decided while it is read stays; another gameweek is looked at with the same amount", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let entry: object = ENTRY;
    let read = 0;
    const asked: string[] = [];
    server.use(
      http.get(url("/api/me/entries"), () => (read++, json({ entries: [entry], profitAndLoss: 0 }))),
      http.get(url("/api/gameweeks"), () => json([3, 2, 1].map((number) => ({ ...WEEK, number, feePercent: 10 })))),
      http.get(url("/api/leagues"), ({ request }) => {
        asked.push(new URL(request.url).search);
        return json([drawn(of("otieno", "77", 40))]);
      }),
    );
    openAt("/leagues");
    expect(await screen.findByRole("heading", { name: "Leagues - 100 Shs" })).toBeInTheDocument();
    expect(await screen.findByLabelText("Gameweek")).toHaveValue("2");
    entry = { ...ENTRY, rank: 4, points: 40 };
    const before = read;
    await vi.advanceTimersByTimeAsync(601_000);
    expect(read).toBeGreaterThan(before);
    vi.useRealTimers();
    expect(screen.getByLabelText("Gameweek")).toHaveValue("2");
    await userEvent.selectOptions(screen.getByLabelText("Gameweek"), "1");
    await expect.poll(() => asked.at(-1)).toContain("gameweek=1");
    expect(asked.at(-1)).toContain("entryAmount=100");
  });
});
