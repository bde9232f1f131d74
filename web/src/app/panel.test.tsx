import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import { logInAs, openAt } from "../testing/app";
import { json, server, told, url } from "../testing/server";

const PROGRESS = {
  message: "Paying the winners of gameweek 3.",
  gameweek: 3,
  state: "settling",
  leagues: 4,
  settled: 1,
  waiting: 0,
  toPay: 1350,
} satisfies Schemas["WinnersProgress"];

async function endGameweek() {
  await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
  await userEvent.click(await screen.findByRole("button", { name: "Pay the winners" }));
}

describe("the panel (spec sections 2 and 8)", () => {
  test("is for admins: nobody logs in first, a player goes to the main page", async () => {
    openAt("/panel");
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
  });

  test("a player is sent to the main page", async () => {
    logInAs("player");
    openAt("/panel");
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test("ending the gameweek asks first, then shows how far the paying is, to the end", async () => {
    logInAs("admin");
    const bodies: unknown[] = [];
    server.use(
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        bodies.push(await request.json());
        return bodies.length === 1
          ? json(PROGRESS)
          : json({ ...PROGRESS, message: "Gameweek 3 is settled.", state: "settled", settled: 4, toPay: 0 });
      }),
    );
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByText("Gameweek 3: 1 of 4 leagues settled, KSh 1,350 to pay.")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: /leagues settled/ })).toHaveAttribute("aria-valuenow", "25");
    expect(await screen.findByText("Gameweek 3 is settled.", {}, { timeout: 5_000 })).toBeInTheDocument();
    expect(bodies).toEqual([{}, { gameweek: 3 }]);
  });

  test("before it is pressed: which gameweek, how many leagues, and how much at most", async () => {
    logInAs("admin");
    const bodies: unknown[] = [];
    const week = { season: 2026, deadline: "2026-08-22T10:30:00Z", amounts: [] };
    const amount = (entryAmount: number, sizes: number[]) => ({ entryAmount, sizes });
    server.use(
      http.get(url("/api/gameweeks"), () =>
        json([
          { ...week, number: 4, state: "open" },
          { ...week, number: 3, state: "final" },
          { ...week, number: 2, state: "closed" },
          { ...week, number: 1, state: "settled" },
        ]),
      ),
      http.get(url("/api/gameweeks/2/draw"), () => json({ draws: [amount(50, [10, 7, 6]), amount(250, [5])] })),
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        bodies.push(await request.json());
        return json({ ...PROGRESS, gameweek: 2, state: "settled", settled: 4 });
      }),
    );
    openAt("/panel");
    // 450 + 315 + 270 + 1,125.
    expect(await screen.findByText("KSh 2,160")).toBeInTheDocument();
    expect(screen.getByText("gameweek 2").closest("p")).toHaveTextContent(
      "Next to settle: gameweek 2 (closed). 4 leagues pay up to KSh 2,160.",
    );
    await endGameweek();
    await expect.poll(() => bodies).toEqual([{ gameweek: 2 }]);
  });

  test.each([
    [() => told(409, "Gameweek 3 is still open."), "Gameweek 3 is still open."],
    [() => json({}, { status: 500 }), "Failed to process gameweek. See console for details."],
    [() => Response.error(), "Failed to process gameweek. See console for details."],
  ])("what is refused is said (%#)", async (answer, text) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    logInAs("admin");
    server.use(http.post(url("/api/gameweek/process-winners"), answer));
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
  });

  test("the deduction says what it is now", async () => {
    logInAs("admin");
    server.use(http.post(url("/api/points/toggle-deduction"), () => json({ deductTransferPoints: false })));
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    expect(deduction).toBeChecked();
    await userEvent.click(deduction);
    expect(await screen.findByText("Transfer point deduction is now OFF")).toBeInTheDocument();
    expect(deduction).not.toBeChecked();
  });

  test("a deduction that is not switched says so", async () => {
    logInAs("admin");
    server.use(http.post(url("/api/points/toggle-deduction"), () => json({}, { status: 500 })));
    openAt("/panel");
    await userEvent.click(await screen.findByRole("switch", { name: "Transfer point deduction" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Failed to update deduction status.");
  });
});
