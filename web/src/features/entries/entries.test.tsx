import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { texts } from "../../testing/rows";
import { json, noAnswer, server, url, USER } from "../../testing/server";

type Entry = Schemas["EntryView"];
const entry = (gameweek: string, change: Partial<Entry> = {}): Entry => ({
  gameweek,
  season: Number(gameweek.slice(0, 4)),
  number: Number(gameweek.slice(5)),
  amount: 50,
  prize: 0,
  refund: 0,
  league: null,
  rank: null,
  points: null,
  at: "2026-08-20T09:00:00Z",
  ...change,
});

beforeEach(() => logInAs("player"));

describe("my entries", () => {
  test("each gameweek with what it brought, and all together", async () => {
    server.use(
      http.get(url("/api/me/entries"), () =>
        json({
          entries: [
            entry("2026-05"),
            entry("2026-04", { league: "2026-04-50-00002" }),
            entry("2026-03", { league: "2026-03-50-00007", rank: 1, points: 61, prize: 450 }),
            entry("2026-02", { league: "2026-02-100-00001", amount: 100, rank: 4, points: 40 }),
            entry("2026-01", { refund: 50, refundReason: "Nobody else joined.", towardsDebt: 50 }),
          ],
          profitAndLoss: -800,
        }),
      ),
    );
    openAt("/entries");
    await screen.findByRole("button", { name: "Share the win of gameweek 3" });
    expect(await texts()).toEqual([
      "Gameweek 5KSh 50 entryWaiting for the drawSomething is wrong?",
      "Gameweek 4KSh 50 entry · Group #2In playSomething is wrong?",
      "Gameweek 3KSh 50 entry · Group #7Won KSh 450rank 1, 61 pointsShareSomething is wrong?",
      "Gameweek 2KSh 100 entry · Group #1Rank 4 with 40 pointsSomething is wrong?",
      "Gameweek 1KSh 50 entryRefunded KSh 50It has gone towards what you owed.Nobody else joined.Something is wrong?",
    ]);
    expect(screen.getByText("−KSh 700")).toBeInTheDocument();
    expect(screen.getByText("KSh 100 in play is not counted yet.")).toBeInTheDocument();
  });

  test("who has stopped playing sees the win, and is not asked to share it", async () => {
    const stopped = { kind: "exclusion", until: "2027-01-01T00:00:00Z" };
    const win = entry("2026-03", { league: "2026-03-50-00007", rank: 1, points: 61, prize: 450 });
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, stopped })),
      http.get(url("/api/me/entries"), () => json({ entries: [win], profitAndLoss: 400 })),
    );
    const answered: string[] = [];
    const note = ({ request }: { request: Request }) => void answered.push(new URL(request.url).pathname);
    server.events.on("response:mocked", note);
    openAt("/entries");
    expect(await screen.findByText("Won KSh 450")).toBeInTheDocument();
    await waitFor(() => expect(answered).toEqual(expect.arrayContaining(["/api/user", "/api/settings"])));
    server.events.removeListener("response:mocked", note);
    expect(screen.queryByRole("button", { name: /^Share/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Invite friends" })).not.toBeInTheDocument();
  });

  test("an entry's line in the draw, to be kept, and the way to where it is looked for", async () => {
    const line = "0198c6f8 118670 60303ae2";
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [entry("2026-05", { line })], profitAndLoss: -50 })));
    openAt("/entries");
    await userEvent.click(await screen.findByText("Your line in the draw"));
    expect(screen.getByText(line)).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy your line of gameweek 5" })).toBeVisible();
    expect(screen.getByRole("link", { name: "draw’s page" })).toHaveAttribute("href", "/gameweeks/2026-05/draw");
  });

  test("seasons before this one come page by page, and say which they are", async () => {
    server.use(
      http.get(url("/api/me/entries"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor")
          ? json({ entries: [entry("2026-38", { rank: 2, points: 40 })], profitAndLoss: -100 })
          : json({ entries: [entry("2027-01")], profitAndLoss: -100 }, { headers: { "x-next-cursor": "2027-01" } }),
      ),
    );
    openAt("/entries");
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    await screen.findByText(/of 2026\/27/);
    expect(await texts()).toEqual([
      "Gameweek 1KSh 50 entryWaiting for the drawSomething is wrong?",
      "Gameweek 38 of 2026/27KSh 50 entryRank 2 with 40 pointsSomething is wrong?",
    ]);
    expect(screen.getByText("−KSh 50")).toBeInTheDocument();
  });

  test("earlier ones that do not come are said not to have come", async () => {
    server.use(
      http.get(url("/api/me/entries"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor")
          ? noAnswer()
          : json({ entries: [entry("2027-01")], profitAndLoss: -50 }, { headers: { "x-next-cursor": "2027-01" } }),
      ),
    );
    openAt("/entries");
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("It could not be read just now. Please try again.");
    expect(await screen.findByRole("button", { name: "Show more" })).toBeEnabled();
  });

  test("are read again while one is in play, and no more once all are decided", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let own = entry("2026-05", { league: "2026-05-50-00002" });
    let read = 0;
    server.use(http.get(url("/api/me/entries"), () => (read++, json({ entries: [own], profitAndLoss: own.prize - 50 }))));
    openAt("/entries");
    expect(await screen.findByText("In play")).toBeInTheDocument();
    own = entry("2026-05", { league: "2026-05-50-00002", rank: 1, points: 61, prize: 450 });
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await screen.findByText("Won KSh 450")).toBeInTheDocument();
    expect(screen.getByText("+KSh 400")).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(61_000);
    const before = read;
    await vi.advanceTimersByTimeAsync(200_000);
    expect(read).toBe(before);
  });

  test("none yet, and not to be had", async () => {
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })));
    const { unmount } = openAt("/entries");
    expect(await screen.findByText("You have not joined a league yet.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See this gameweek" })).toHaveAttribute("href", "/payment");
    unmount();
    server.use(http.get(url("/api/me/entries"), () => json({}, { status: 500 })));
    openAt("/entries");
    expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  });
});
