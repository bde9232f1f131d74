import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { openAt } from "../../testing/app";
import { GAMEWEEK, json, server, url, USER } from "../../testing/server";

describe("leagues of gameweeks before", () => {
  const week = (number: number, state: Schemas["GameweekSoFar"]["state"]): Schemas["GameweekSoFar"] => ({
    season: 2026,
    number,
    state,
    deadline: "2026-08-22T10:30:00Z",
    feePercent: 10, amounts: [],
  });

  test("are picked, stay in the address, and lead to their settlement", async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(url("/api/gameweeks"), () => json([week(3, "open"), week(2, "settled")])),
      http.get(url("/api/leagues"), ({ request }) => {
        const asksFor = new URL(request.url).searchParams;
        const gameweek = asksFor.get("gameweek");
        // A league that is seen asks for its own figures too.
        if (!asksFor.has("league")) asked.push(gameweek);
        return json(
          gameweek === "2"
            ? [{ _id: "2026-02-50-00001", number: 1, state: "settled", own: false, users: [{ fplId: USER.fplId, username: "w", points: 1 }] }]
            : [],
        );
      }),
    );
    openAt("/leagues?amount=50");
    await userEvent.selectOptions(await screen.findByLabelText("Gameweek"), "Gameweek 2 · settled");
    const link = await screen.findByRole("link", { name: "How it was settled" });
    expect(link).toHaveAttribute("href", "/leagues/2026-02-50-00001/settlement");
    expect(screen.getByTestId("/leagues")).toHaveTextContent("gameweek=2");
    expect(asked).toEqual(["3", "2"]);
  });

  test("the gameweek that is shown is among them before the list has it, and the list follows the status", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let status: object = GAMEWEEK;
    let weeks = [week(3, "open"), week(2, "settled")];
    let asked = 0;
    server.use(
      http.get(url("/api/gameweek/status"), () => json(status)),
      http.get(url("/api/gameweeks"), () => (asked++, json(weeks))),
    );
    openAt("/leagues");
    const options = async () => [...(await screen.findByLabelText<HTMLSelectElement>("Gameweek")).options].map(({ text }) => text);
    expect(await options()).toEqual(["Gameweek 3 · open", "Gameweek 2 · settled"]);
    await vi.advanceTimersByTimeAsync(200_000);
    // They say the same: nothing is asked again.
    expect(asked).toBe(1);
    status = { ...GAMEWEEK, gameweek: 4, deadline: "2026-08-29T10:30:00Z" };
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await screen.findByLabelText("Gameweek")).toHaveValue("4");
    expect(await options()).toEqual(["Gameweek 4", "Gameweek 3 · open", "Gameweek 2 · settled"]);
    weeks = [week(4, "open"), week(3, "settled"), week(2, "settled")];
    await vi.advanceTimersByTimeAsync(61_000);
    await expect.poll(options).toEqual(["Gameweek 4 · open", "Gameweek 3 · settled", "Gameweek 2 · settled"]);
    status = { ...status, isOpen: false, state: "closed" };
    weeks = [week(4, "closed"), week(3, "settled"), week(2, "settled")];
    await vi.advanceTimersByTimeAsync(121_000);
    await expect.poll(options).toEqual(["Gameweek 4 · closed", "Gameweek 3 · settled", "Gameweek 2 · settled"]);
    const before = asked;
    await vi.advanceTimersByTimeAsync(200_000);
    expect(asked).toBe(before);
  });
});
