import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { texts } from "../../testing/rows";
import { json, noAnswer, server, url } from "../../testing/server";

beforeEach(() => logInAs("player"));

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
    expect(await texts()).toEqual(["League entryThu 20 Aug, 12:00−KSh 50Balance KSh 150Something is wrong?"]);
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Receipt NLJ7RT61SV");
    expect((await texts())[1]).toBe("Deposit by M-PesaThu 20 Aug, 12:00Receipt NLJ7RT61SV+KSh 200Balance KSh 200Something is wrong?");
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
    expect(cursors).toEqual([null, "p2"]);
  });

  test("further ones that do not come are said not to have come, and can be asked for again", async () => {
    let answer: () => Response = noAnswer;
    server.use(
      http.get(url("/api/me/transactions"), ({ request }) =>
        new URL(request.url).searchParams.get("cursor") ? answer() : json([posting("e1")], { headers: { "x-next-cursor": "p2" } }),
      ),
    );
    openAt("/transactions");
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("It could not be read just now. Please try again.");
    expect(await texts()).toHaveLength(1);
    answer = () => json([posting("d1", { receipt: "NLJ7RT61SV" })]);
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("Receipt NLJ7RT61SV")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  test("a prize or a refund that is booked while they are looked at comes by itself", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const own = { gameweek: "2026-03", season: 2026, number: 3, amount: 50, prize: 0, refund: 0, at: "2026-08-20T09:00:00Z" };
    let refund = 0;
    let read = 0;
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [{ ...own, refund }], profitAndLoss: refund - 50 })),
      http.get(url("/api/me/transactions"), () => {
        read += 1;
        const stake = posting("e1", { kind: "entry", amount: -50, balanceAfter: 150 });
        return json(refund ? [posting("r1", { kind: "refund", amount: 50 }), stake] : [stake]);
      }),
    );
    openAt("/transactions");
    expect(await texts()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(121_000);
    expect(read).toBe(1);
    refund = 50;
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await screen.findByText("+KSh 50")).toBeInTheDocument();
    const before = read;
    await vi.advanceTimersByTimeAsync(200_000);
    expect(read).toBe(before);
  });

  test("what M-Pesa pays is said of a withdrawal, and not of one that came back", async () => {
    const tax = { percent: 5, amount: 10 };
    const asked = (id: string) => posting(`withdrawal#${id}`, { kind: "withdrawal", amount: -200, receipt: null, tax });
    const back = (id: string, kind: string) => posting(id, { kind, amount: 200, tax });
    server.use(
      http.get(url("/api/me/transactions"), () =>
        json([back("correction#w2-failed", "correction"), back("withdrawal-rejected#w1", "withdrawal-rejected"), asked("w3"), asked("w2"), asked("w1")]),
      ),
    );
    openAt("/transactions");
    const said = (await texts()).map((text) => text.includes("Of it KSh 10 is withholding tax (5 %, rounded down): M-Pesa pays KSh 190."));
    expect(said).toEqual([false, false, true, false, false]);
  });

  test("none yet: what will be here, and the way to the wallet", async () => {
    server.use(http.get(url("/api/me/transactions"), () => json([])));
    openAt("/transactions");
    expect(await screen.findByText("No money has moved yet.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "To your wallet" })).toHaveAttribute("href", "/payment");
  });
});
