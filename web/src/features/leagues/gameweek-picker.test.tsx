import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { openAt } from "../../testing/app";
import { json, server, url, USER } from "../../testing/server";

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
});
