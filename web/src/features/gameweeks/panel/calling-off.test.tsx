import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs, openAt } from "../../../testing/app";
import { gate } from "../../../testing/gate";
import { json, PREVIEW, server, told, url } from "../../../testing/server";

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

describe("gameweeks that are not paid in full", () => {
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
  const WINNERS = { ...PREVIEW, season: 2025, gameweek: 38, state: "final", refused: null, leagues: 4, toPay: 1800 } satisfies Schemas["WinnersPreview"];
  /** What paying that gameweek would pay; the panel asks of the next one of this season, too. */
  const pays = (answer: () => Response | Promise<Response>) =>
    server.use(
      http.get(url("/api/admin/winners"), async ({ request }): Promise<Response> => {
        const asked = new URL(request.url).searchParams.get("gameweek");
        return asked === "2025-38" ? answer() : json(PREVIEW);
      }),
    );
  const payWinners = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "Pay its winners" }));
    return within(await screen.findByRole("dialog", { name: "End the gameweek" }));
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

  test("what goes back is read anew each time; where it cannot be, nothing is called off by figures of before", async () => {
    const preview = vi.fn(() => json(VOID));
    owes({});
    server.use(http.get(url("/api/admin/gameweeks/2025-38/void"), preview));
    const dialog = await callOff();
    expect(await dialog.findByText("KSh 1,300")).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Close" }));
    preview.mockImplementation(() => told(404, "Not now."));
    const again = await callOff();
    expect(await again.findByText("What it would give back could not be read just now.")).toBeInTheDocument();
    expect(again.queryByText("KSh 1,300")).not.toBeInTheDocument();
    expect(again.queryByRole("button", { name: "Call it off" })).not.toBeInTheDocument();
    preview.mockImplementation(() => json({ ...VOID, toRefund: 900 }));
    await userEvent.click(again.getByRole("button", { name: "Try again" }));
    expect(await again.findByText("KSh 900")).toBeInTheDocument();
    preview.mockImplementation(() => told(404, "Not now."));
    act(() => void window.dispatchEvent(new Event("visibilitychange")));
    expect(await again.findByText("What it would give back could not be read just now.")).toBeInTheDocument();
    expect(again.getByRole("button", { name: "Call it off" })).toBeDisabled();
  });

  test("why a former season's winners are not paid stands where it was pressed", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    owes({ state: "final" });
    pays(() => json(WINNERS));
    server.use(http.post(url("/api/gameweek/process-winners"), () => told(409, "Gameweek 38 is still open.")));
    const dialog = await payWinners();
    await userEvent.click(await dialog.findByRole("button", { name: "Pay the winners" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent("Gameweek 38 is still open.");
  });

  test("a former season's winners are paid after what that pays was read, and not by figures of before", async () => {
    owes({ state: "final" });
    const reading = gate<Response>();
    pays(reading.wait);
    const dialog = await payWinners();
    expect(dialog.getByText("What it would pay is being read…")).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    reading.open(json(WINNERS));
    expect(await dialog.findByText("KSh 1,800")).toBeInTheDocument();
    expect(dialog.getByText("Gameweek 38 of 2025/26").parentElement).toHaveTextContent(/^Gameweek 38 of 2025\/26 \(final\)\. 4 leagues pay/);
    expect(dialog.queryByText(/Next to settle/)).not.toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    pays(() => told(404, "Not now."));
    const again = await payWinners();
    expect(await again.findByText("What it would pay could not be read just now.")).toBeInTheDocument();
    expect(again.queryByText("KSh 1,800")).not.toBeInTheDocument();
    expect(again.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    pays(() => json({ ...WINNERS, refused: "Its points are not final yet." }));
    await userEvent.click(again.getByRole("button", { name: "Try again" }));
    expect(await again.findByText("Its points are not final yet.")).toBeInTheDocument();
    expect(again.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
  });

  test.each([
    ["closed", "Its points are not final. Its deadline was Sat 16 May, 13:30."],
    ["final", "Its points are final. Its deadline was Sat 16 May, 13:30."],
  ] as const)("how a %s one stands is said in words", async (state, said) => {
    owes({ state });
    expect(await screen.findByText(said)).toBeInTheDocument();
  });

  test("a later gameweek of this season is paid though an earlier one is not final", async () => {
    logInAs("admin");
    const earlier = { ...OWED, gameweek: "2026-3", season: 2026, number: 3, former: false };
    const later = { ...earlier, gameweek: "2026-4", number: 4, state: "final" } satisfies Schemas["OwedGameweek"];
    server.use(http.get(url("/api/admin/gameweeks"), () => json([earlier, later])));
    openAt("/panel");
    const pay = await screen.findByRole("button", { name: "Pay its winners" });
    expect(pay).toHaveAccessibleDescription(/^Gameweek 4 of 2026\/27/);
  });

  test("a former season's winners are paid by its season and number", async () => {
    const sent: unknown[] = [];
    owes({ state: "final" });
    pays(() => json(WINNERS));
    server.use(
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        sent.push(await request.json());
        return json({ ...PROGRESS, message: "Paying the winners of gameweek 38." });
      }),
    );
    const dialog = await payWinners();
    expect(await dialog.findByText(/^Gameweek 38 of 2025\/26: its winners/)).toBeInTheDocument();
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Pay the winners" }));
    expect(await screen.findByText("Paying the winners of gameweek 38.")).toBeInTheDocument();
    expect(sent).toEqual([{ gameweek: "2025-38" }]);
  });
});
