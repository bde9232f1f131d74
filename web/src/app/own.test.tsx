import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { logInAs, openAt } from "../testing/app";
import { json, server, url } from "../testing/server";

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

const rows = async () => (await screen.findAllByRole("listitem")).filter((item) => item.closest("main"));
const texts = async () => (await rows()).map((row) => row.textContent);

beforeEach(() => logInAs("player"));

test.each(["/entries", "/transactions", "/withdrawals"])(
  "%s is for players: who is not logged in does that first, and comes back",
  async (address) => {
    localStorage.clear();
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })),
      http.get(url("/api/me/transactions"), () => json([])),
      http.post(url("/api/login"), () =>
        json({ status: "exist", accessToken: "t", token: "t", _id: "u1", username: "w", fplId: "1", email: "w@x.co", role: "player" }),
      ),
    );
    window.dispatchEvent(new StorageEvent("storage"));
    const { unmount } = openAt("/login");
    unmount();
    openAt(address);
    await userEvent.type(await screen.findByLabelText("Email"), "w@x.co");
    await userEvent.type(screen.getByLabelText("Password"), "secret1");
    await userEvent.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByTestId(address)).toBeInTheDocument();
    expect(await screen.findByRole("heading", { level: 1 })).toBeInTheDocument();
  },
);

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
            entry("2026-01", { refund: 50, refundReason: "Nobody else joined." }),
          ],
          profitAndLoss: -800,
        }),
      ),
    );
    openAt("/entries");
    expect(await texts()).toEqual([
      "Gameweek 5KSh 50 entryWaiting for the draw",
      "Gameweek 4KSh 50 entry · League #2In play",
      "Gameweek 3KSh 50 entry · League #7Won KSh 450rank 1, 61 points",
      "Gameweek 2KSh 100 entry · League #1Rank 4 with 40 points",
      "Gameweek 1KSh 50 entryRefunded KSh 50Nobody else joined.",
    ]);
    expect(screen.getByText("−KSh 800")).toBeInTheDocument();
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
      "Gameweek 1KSh 50 entryWaiting for the draw",
      "Gameweek 38 of 2026/27KSh 50 entryRank 2 with 40 points",
    ]);
    expect(screen.getByText("−KSh 100")).toBeInTheDocument();
  });

  test("none yet, and not to be had", async () => {
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })));
    const { unmount } = openAt("/entries");
    expect(await screen.findByText("You have not joined a league yet.")).toBeInTheDocument();
    unmount();
    server.use(http.get(url("/api/me/entries"), () => json({}, { status: 500 })));
    openAt("/entries");
    expect(await screen.findByRole("button", { name: "Try again" }, { timeout: 5_000 })).toBeInTheDocument();
  });
});

describe("transactions", () => {
  const posting = (id: string, change: Partial<Schemas["Transaction"]> = {}): Schemas["Transaction"] => ({
    _id: id,
    kind: "deposit",
    amount: 200,
    balanceAfter: 200,
    receipt: null,
    at: "2026-08-20T09:00:00Z",
    ...change,
  });

  test("movements with receipts and balances, page by page", async () => {
    const cursors: (string | null)[] = [];
    server.use(
      http.get(url("/api/me/transactions"), ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        cursors.push(cursor);
        return cursor
          ? json([posting("d1", { receipt: "NLJ7RT61SV" })])
          : json([posting("e1", { kind: "entry", amount: -50, balanceAfter: 150 })], { headers: { "x-next-cursor": "p2" } });
      }),
    );
    openAt("/transactions");
    expect(await texts()).toEqual(["League entryThu 20 Aug, 12:00−KSh 50Balance KSh 150"]);
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Receipt NLJ7RT61SV");
    expect((await texts())[1]).toBe("Deposit by M-PesaThu 20 Aug, 12:00Receipt NLJ7RT61SV+KSh 200Balance KSh 200");
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
    expect(cursors).toEqual([null, "p2"]);
  });
});

describe("withdrawals", () => {
  const item = (id: string, status: "pending" | "done" | "rejected", reason: string | null = null) => ({
    _id: id,
    userId: "u1",
    username: "wanjiru",
    mpesaNumber: "0712345678",
    amount: 60,
    status,
    reason,
    createdAt: "2026-08-20T09:00:00Z",
    flagged: false,
    flags: [],
  });

  test("each with its state, the receipt of what M-Pesa paid, and the reason of a rejection", async () => {
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([
          item("1", "pending"),
          { ...item("2", "done"), payout: "done", receipt: "NLJ7RT61SV" },
          item("3", "rejected", "The number is not registered."),
          { ...item("4", "pending"), payout: "sent" },
          item("5", "done"),
          { ...item("6", "pending"), waitsUntil: "2026-08-21T09:00:00Z" },
        ]),
      ),
    );
    openAt("/withdrawals");
    const [pending, done, rejected, paying, byHand, waiting] = await rows();
    expect(waiting).toHaveTextContent(/Waiting to be sentNot before .+: you have not paid from this number for a day\.$/);
    expect(within(pending!).getByText("Waiting to be sent")).toBeInTheDocument();
    expect(within(done!).getByText("Sent to M-Pesa")).toHaveTextContent("Receipt NLJ7RT61SV");
    expect(within(paying!).getByText("M-Pesa is sending it")).toBeInTheDocument();
    expect(byHand).toHaveTextContent(/Sent to M-Pesa$/);
    expect(rejected).toHaveTextContent("Rejected: the money is back in your walletThe number is not registered.");
  });
});

test("the menu leads to them", async () => {
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Menu" }));
  const menu = within(screen.getByRole("navigation", { name: "Menu" }));
  expect(menu.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/payment",
    "/leagues",
    "/entries",
    "/transactions",
    "/withdrawals",
    "/contact",
  ]);
});
