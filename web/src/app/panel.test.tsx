import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import { logInAs, openAt } from "../testing/app";
import { GAMEWEEK, json, PREVIEW, server, told, url } from "../testing/server";

const PROGRESS = {
  message: "Paying the winners of gameweek 3.",
  gameweek: 3,
  season: 2026,
  state: "settling",
  leagues: 4,
  settled: 1,
  waiting: 0,
  toPay: 1350,
} satisfies Schemas["WinnersProgress"];

/** The official points are there: the press would pay. */
const READY = { ...PREVIEW, state: "final" as const, refused: null, leagues: 4, toPay: 1800 } satisfies Schemas["WinnersPreview"];
const ready = () => server.use(http.get(url("/api/admin/winners"), () => json(READY)));

async function endGameweek() {
  await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
  await userEvent.click(await screen.findByRole("button", { name: "Pay the winners" }));
}

describe("the panel (spec sections 2 and 8)", () => {
  test("who is not logged in does that first", async () => {
    openAt("/panel");
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
  });

  test("a player is sent to the main page", async () => {
    logInAs("player");
    openAt("/panel");
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test("its sections", async () => {
    logInAs("admin");
    openAt("/panel");
    for (const name of ["Gameweek Control", "Pending Manual Payments", "Withdrawal Requests", "Influencer Links"]) {
      expect(await screen.findByRole("region", { name })).toBeInTheDocument();
    }
  });

  test("ending the gameweek asks first, then shows how far the paying is, to the end", async () => {
    logInAs("admin");
    const bodies: unknown[] = [];
    ready();
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
    expect(bodies).toEqual([{ gameweek: 3 }, { gameweek: 3 }]);
  });

  test("before it is pressed: which gameweek, how many leagues, and how much at most", async () => {
    logInAs("admin");
    const bodies: unknown[] = [];
    const left = { settled: 0, waiting: 0, unread: 0, players: 0, collected: 0, fee: 0, toPay: 0, leagues: 0 };
    server.use(
      http.get(url("/api/admin/winners"), () =>
        json({
          ...PREVIEW,
          gameweek: 2,
          state: "final",
          refused: null,
          leagues: 4,
          waiting: 1,
          unread: 1,
          fee: 240,
          toPay: 2160,
          amounts: [
            { ...left, entryAmount: 50, leagues: 3, players: 23, toPay: 1035 },
            { ...left, entryAmount: 100 },
            { ...left, entryAmount: 250, leagues: 1, players: 5, toPay: 1125 },
          ],
          waitingLeagues: [{ _id: "2026-02-50-00002", why: "Team 5: it has no official score for this gameweek." }],
        } satisfies Schemas["WinnersPreview"]),
      ),
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        bodies.push(await request.json());
        return json({ ...PROGRESS, gameweek: 2, state: "settled", settled: 4 });
      }),
    );
    openAt("/panel");
    expect(await screen.findByText("KSh 2,160")).toBeInTheDocument();
    expect(screen.getByText("gameweek 2").closest("p")).toHaveTextContent(
      "Next to settle: gameweek 2 (final). 4 leagues pay up to KSh 2,160.",
    );
    expect(screen.getByText("KSh 50: 3 leagues, 23 players").nextSibling).toHaveTextContent("KSh 1,035");
    expect(screen.getByText("KSh 250: 1 league, 5 players").nextSibling).toHaveTextContent("KSh 1,125");
    expect(screen.getByText("Fee, 10 % of what they collected").nextSibling).toHaveTextContent("KSh 240");
    expect(screen.getByText("1 league is still being read, and paid as soon as that is done.")).toBeInTheDocument();
    await userEvent.click(screen.getByText("1 league would wait for you"));
    expect(screen.getByText("KSh 50, league #2: Team 5: it has no official score for this gameweek.")).toBeInTheDocument();
    await endGameweek();
    await expect.poll(() => bodies).toEqual([{ gameweek: 2 }]);
  });

  test.each([
    [() => json(PREVIEW), "Gameweek 3 is still open."],
    [() => told(400, "There is no gameweek to end."), "There is no gameweek to end."],
    [() => told(403, "Not yours."), "What it would pay could not be read just now."],
  ])("what would be paid is not known, and why is said before it is pressed (%#)", async (answer, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/admin/winners"), answer));
    openAt("/panel");
    await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
    expect(await within(screen.getByRole("dialog")).findByText(text)).toBeInTheDocument();
  });

  const notFinal = "Official points for gameweek 3 are not final yet.";
  test.each([
    ["is open", () => json(PREVIEW), "Gameweek 3 is still open."],
    ["has no final points", () => json({ ...PREVIEW, state: "closed", leagues: 4, toPay: 1800, refused: notFinal }), notFinal],
    ["is none", () => told(400, "There is no gameweek to end."), "There is no gameweek to end."],
  ])("a gameweek that %s pays nobody: why is said, and there is nothing to press", async (_what, answer, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/admin/winners"), answer));
    openAt("/panel");
    await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End the gameweek" }));
    expect(await dialog.findByText(text)).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    expect(dialog.queryByText(/0 leagues|KSh 0/)).not.toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Got it" }));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  test.each([
    [() => told(409, "Gameweek 3 is still open."), "Gameweek 3 is still open."],
    [() => json({}, { status: 500 }), "Failed to process gameweek. See console for details."],
    [() => Response.error(), "Failed to process gameweek. See console for details."],
  ])("what is refused is said, and logged (%#)", async (answer, text) => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    logInAs("admin");
    ready();
    server.use(http.post(url("/api/gameweek/process-winners"), answer));
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(logged).toHaveBeenCalled();
  });

  test.each([
    [true, { deductTransferPoints: false }, "Transfer point deduction is now OFF"],
    [false, { deductTransferPoints: true }, "Transfer point deduction is now ON"],
    [
      false,
      { deductTransferPoints: true, message: "Transfer point deduction is now ON. It counts from the next gameweek." },
      "Transfer point deduction is now ON. It counts from the next gameweek.",
    ],
  ])("the deduction says what it is now, ON or OFF (%#)", async (before, answer, text) => {
    logInAs("admin");
    let deductTransferPoints = before;
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, deductTransferPoints })),
      http.post(url("/api/points/toggle-deduction"), () => {
        deductTransferPoints = answer.deductTransferPoints;
        return json(answer);
      }),
    );
    openAt("/panel");
    const deduction = await screen.findByRole<HTMLInputElement>("switch", { name: "Transfer point deduction" });
    expect(deduction.checked).toBe(before);
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: before ? "Turn it off" : "Turn it on" }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(deduction.checked).toBe(!before);
  });

  test.each([
    [{}, /It counts from the next gameweek whose deadline has not passed: gameweek 3\./],
    [{ isOpen: false, state: "closed" as const }, /It counts from the next gameweek whose deadline has not passed\. A gameweek/],
  ])("the deduction asks first, says from when it counts, and can be called off (%#)", async (status, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, ...status })));
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    const dialog = within(await screen.findByRole("dialog", { name: "Turn the deduction off" }));
    expect(dialog.getByText(text)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(deduction).toBeChecked();
  });

  test.each([
    ["a refusal", () => json({}, { status: 500 })],
    ["no answer", () => Response.error()],
  ])("a deduction that is not switched says so: %s", async (_what, answer) => {
    logInAs("admin");
    server.use(http.post(url("/api/points/toggle-deduction"), answer));
    openAt("/panel");
    const deduction = await screen.findByRole("switch", { name: "Transfer point deduction" });
    await userEvent.click(deduction);
    await userEvent.click(await screen.findByRole("button", { name: "Turn it off" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Failed to update deduction status.");
    expect(deduction).toBeChecked();
  });
});

describe("gameweeks that are not paid in full (decisions, \"Against people\")", () => {
  const OWED = {
    gameweek: "2025-38",
    season: 2025,
    number: 38,
    deadline: "2026-05-16T10:30:00Z",
    state: "closed",
    calledOff: null,
    former: true,
  } satisfies Schemas["OwedGameweek"];
  const VOID = {
    gameweek: "2025-38",
    season: 2025,
    number: 38,
    deadline: "2026-05-16T10:30:00Z",
    state: "closed",
    possibleFrom: "2026-05-23T10:30:00Z",
    refused: null,
    calledOff: null,
    leagues: 2,
    entries: 13,
    toRefund: 1300,
    settled: 1,
    paid: 450,
  } satisfies Schemas["VoidPreview"];
  const owes = (owed: Partial<Schemas["OwedGameweek"]>, preview: Partial<Schemas["VoidPreview"]> = {}) => {
    logInAs("admin");
    server.use(
      http.get(url("/api/admin/gameweeks"), () => json([{ ...OWED, ...owed }])),
      http.get(url("/api/admin/gameweeks/2025-38/void"), () => json({ ...VOID, ...preview })),
    );
    openAt("/panel");
  };
  const callOff = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Call off" }));
    return within(await screen.findByRole("dialog", { name: "Call the gameweek off" }));
  };

  test("one is called off after what goes back was shown, with a reason", async () => {
    const sent: unknown[] = [];
    owes({});
    server.use(
      http.post(url("/api/admin/gameweeks/2025-38/void"), async ({ request }) => {
        sent.push(await request.json());
        return json({ ...PROGRESS, message: "Gameweek 38 is called off." });
      }),
    );
    expect(await screen.findByText("Gameweek 38 of 2025/26")).toBeInTheDocument();
    const dialog = await callOff();
    expect(await dialog.findByText("KSh 1,300")).toBeInTheDocument();
    expect(dialog.getByText("2 leagues, 13 players")).toBeInTheDocument();
    expect(dialog.getByText("Settled already: 1 league").nextSibling).toHaveTextContent("KSh 450");
    await userEvent.click(dialog.getByRole("button", { name: "Call it off" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Give the reason: players read it.");
    await userEvent.type(dialog.getByLabelText("Reason"), "The season was left.");
    await userEvent.click(dialog.getByRole("button", { name: "Call it off" }));
    expect(await screen.findByText("Gameweek 38 is called off.")).toBeInTheDocument();
    expect(sent).toEqual([{ reason: "The season was left." }]);
  });

  test("before its time only from when it can be", async () => {
    owes({}, { refused: "Gameweek 38 can be called off from 2026-05-23T10:30:00Z on." });
    const dialog = await callOff();
    expect(await dialog.findByText("Gameweek 38 can be called off from Sat 23 May, 13:30 on.")).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Call it off" })).not.toBeInTheDocument();
  });

  test("a former season's winners are paid by its season and number", async () => {
    const sent: unknown[] = [];
    owes({ state: "final" });
    server.use(
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        sent.push(await request.json());
        return json({ ...PROGRESS, message: "Paying the winners of gameweek 38." });
      }),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Pay its winners" }));
    expect(await screen.findByText("Paying the winners of gameweek 38.")).toBeInTheDocument();
    expect(sent).toEqual([{ gameweek: "2025-38" }]);
  });
});
