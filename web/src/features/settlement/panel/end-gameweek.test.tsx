import { screen, waitFor, within } from "@testing-library/react";
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

/** The official points are there: the press would pay. */
const READY = { ...PREVIEW, state: "final" as const, refused: null, leagues: 4, toPay: 1800 } satisfies Schemas["WinnersPreview"];
const ready = () => server.use(http.get(url("/api/admin/winners"), () => json(READY)));

async function endGameweek() {
  await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
  await userEvent.click(await screen.findByRole("button", { name: "Pay the winners" }));
}

describe("ending a gameweek (spec sections 2 and 8)", () => {
  test("ending the gameweek asks first, then shows how far the paying is, to the end", async () => {
    logInAs("admin");
    const bodies: unknown[] = [];
    ready();
    server.use(
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        bodies.push(await request.json());
        return bodies.length === 1
          ? json(PROGRESS)
          : json({ ...PROGRESS, message: "Gameweek 3 is settled.", state: "settled", settled: 4, toPay: 1800 });
      }),
    );
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByText("Gameweek 3: 1 of 4 leagues settled, KSh 1,350 to pay in all if each league is played.")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: /leagues settled/ })).toHaveAttribute("aria-valuenow", "25");
    expect(await screen.findByText("Gameweek 3 is settled.")).toBeInTheDocument();
    expect(screen.getByText("Gameweek 3: 4 of 4 leagues settled.")).toBeInTheDocument();
    expect(bodies).toEqual([{ gameweek: 3 }, { gameweek: 3 }]);
  });

  test("once each league is settled nothing is said to be paid, though the gameweek is not marked yet", async () => {
    logInAs("admin");
    ready();
    server.use(http.post(url("/api/gameweek/process-winners"), () => json({ ...PROGRESS, settled: 4, toPay: 1530 })));
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByText("Gameweek 3: 4 of 4 leagues settled.")).toBeInTheDocument();
  });

  test("what waits for longer than it is followed gives way to what there is to settle, which goes on", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    logInAs("admin");
    ready();
    server.use(http.post(url("/api/gameweek/process-winners"), () => json({ ...PROGRESS, settled: 3, waiting: 1 })));
    openAt("/panel");
    await user.click(await screen.findByRole("button", { name: "End Gameweek" }));
    await user.click(await screen.findByRole("button", { name: "Pay the winners" }));
    const progress = await screen.findByText(/^Gameweek 3: 3 of 4 leagues settled, 1 waiting/);
    await vi.advanceTimersByTimeAsync(70_000);
    await waitFor(() => expect(progress).not.toBeInTheDocument());
    vi.useRealTimers();
  });

  test("once the winners are paid the gameweek is not among those that are not paid in full", async () => {
    logInAs("admin");
    ready();
    let paid = false;
    const owed = {
      gameweek: "2026-03",
      season: 2026,
      number: 3,
      deadline: "2026-08-22T10:30:00Z",
      state: "final",
      calledOff: null,
      former: false,
    } satisfies Schemas["OwedGameweek"];
    server.use(
      http.get(url("/api/admin/gameweeks"), () => json(paid ? [] : [owed])),
      http.post(url("/api/gameweek/process-winners"), () => {
        paid = true;
        return json({ ...PROGRESS, message: "Gameweek 3 is settled.", state: "settled", settled: 4, toPay: 1800 });
      }),
    );
    openAt("/panel");
    expect(await screen.findByRole("heading", { name: "Not Paid in Full" })).toBeInTheDocument();
    await endGameweek();
    await waitFor(() => expect(screen.queryByText("Not Paid in Full")).not.toBeInTheDocument());
  });

  test("nothing can be paid before it is read what", async () => {
    logInAs("admin");
    const preview = gate<Response>();
    server.use(http.get(url("/api/admin/winners"), preview.wait));
    openAt("/panel");
    await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
    expect(await screen.findByText("What it would pay is being read…")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    preview.open(json(READY));
    expect(await screen.findByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
  });

  test("figures of before decide nothing: they are read anew as it opens, and until then nobody is paid", async () => {
    logInAs("admin");
    ready();
    openAt("/panel");
    expect(await screen.findByText("KSh 1,800")).toBeInTheDocument();
    const preview = gate<Response>();
    server.use(http.get(url("/api/admin/winners"), preview.wait));
    await userEvent.click(screen.getByRole("button", { name: "End Gameweek" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End the gameweek" }));
    expect(dialog.getByText("What it would pay is being read…")).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    preview.open(json({ ...READY, toPay: 900 }));
    expect(await dialog.findByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
    expect(dialog.getByText("KSh 900")).toBeInTheDocument();
  });

  test("figures that cannot be read again are marked, and nobody is paid by them", async () => {
    logInAs("admin");
    ready();
    openAt("/panel");
    expect(await screen.findByText("KSh 1,800")).toBeInTheDocument();
    server.use(http.get(url("/api/admin/winners"), () => told(404, "Not now.")));
    await userEvent.click(screen.getByRole("button", { name: "End Gameweek" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End the gameweek" }));
    expect(await dialog.findByText("What it would pay could not be read just now.")).toBeInTheDocument();
    expect(dialog.queryByText("KSh 1,800")).not.toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Pay the winners" })).not.toBeInTheDocument();
    const control = within(screen.getByRole("region", { name: "Gameweek Control" }));
    expect(control.getByText(/could not be read again just now/)).toBeInTheDocument();
    ready();
    await userEvent.click(dialog.getByRole("button", { name: "Try again" }));
    expect(await dialog.findByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
    expect(control.queryByText(/could not be read again just now/)).not.toBeInTheDocument();
  });

  test("figures that were read as it opened stay where a later reading fails", async () => {
    logInAs("admin");
    ready();
    openAt("/panel");
    await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
    const dialog = within(await screen.findByRole("dialog", { name: "End the gameweek" }));
    expect(await dialog.findByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
    server.use(http.get(url("/api/admin/winners"), () => json({}, { status: 404 })));
    const control = within(screen.getByRole("region", { name: "Gameweek Control" }));
    await userEvent.click(control.getByRole("button", { name: "Refresh" }));
    expect(await control.findByText(/could not be read again just now/)).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Pay the winners" })).toBeInTheDocument();
    expect(dialog.getByText("KSh 1,800")).toBeInTheDocument();
  });

  test("where what it pays cannot be read, the winners are paid without the figures, knowingly", async () => {
    logInAs("admin");
    const sent: unknown[] = [];
    server.use(
      http.get(url("/api/admin/winners"), () => json({}, { status: 504 })),
      http.post(url("/api/gameweek/process-winners"), async ({ request }) => {
        sent.push(await request.json());
        return json({ ...PROGRESS, state: "settled" });
      }),
    );
    openAt("/panel");
    await userEvent.click(await screen.findByRole("button", { name: "End Gameweek" }));
    await userEvent.click(await screen.findByRole("button", { name: "Pay without the figures" }));
    await waitFor(() => expect(sent).toEqual([{}]));
  });

  test("after a lost answer it is not said that it failed, and what there is to settle is read again", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    logInAs("admin");
    let pressed = false;
    server.use(
      http.get(url("/api/admin/winners"), () => json(pressed ? { ...READY, state: "settling", leagues: 3 } : READY)),
      http.post(url("/api/gameweek/process-winners"), () => {
        pressed = true;
        return Response.error();
      }),
    );
    openAt("/panel");
    await endGameweek();
    expect(await screen.findByRole("alert")).toHaveTextContent(/^No answer came\. What there is to settle is read again/);
    expect(await screen.findByText(/\(settling\)\. 3 leagues pay up to/)).toBeInTheDocument();
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
    expect(screen.getByText("KSh 50, Group #2: Team 5: it has no official score for this gameweek.")).toBeInTheDocument();
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
    [() => json({}, { status: 409 }), "Failed to process gameweek. See console for details."],
    [() => json({}, { status: 500 }), "No answer came. What there is to settle is read again: see there whether it was done."],
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
});
