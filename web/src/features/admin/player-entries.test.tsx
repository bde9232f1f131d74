import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs } from "../../testing/app";
import { OTIENOS_PROFILE, part } from "../../testing/panel";
import { json, server, url } from "../../testing/server";

const at = "2026-08-20T09:00:00Z";
const entry = (number: number, change: Partial<Schemas["EntryView"]>): Schemas["EntryView"] => ({
  gameweek: `2026-0${number}`,
  season: 2026,
  number,
  amount: 50,
  prize: 0,
  refund: 0,
  at,
  ...change,
});
const PROFILE: Schemas["PlayerProfile"] = {
  ...OTIENOS_PROFILE,
  entries: {
    profitAndLoss: 200,
    entries: [
      entry(5, {}),
      entry(4, { amount: 100, league: "2026-04-100-00003" }),
      entry(3, { rank: 2, points: null, league: "2026-03-50-00002" }),
      entry(1, { refund: 50, refundReason: "Nobody else joined." }),
    ],
  },
};

test("entries are as their player reads them: what is in play is no loss, and only a settled league leads to its settlement", async () => {
  logInAs("admin");
  server.use(http.get(url("/api/admin/players/u7"), () => json(PROFILE)));
  await part("otieno", "/panel/players/u7");
  const entries = within(screen.getByRole("region", { name: "Entries" }));
  expect(entries.getByText("+KSh 350")).toBeInTheDocument();
  expect(entries.getByText("KSh 150 in play is not counted yet.")).toBeInTheDocument();
  expect(entries.getAllByRole("listitem").map((row) => [...row.querySelectorAll("p, a")].map(({ textContent }) => textContent))).toEqual([
    ["Gameweek 2026-05 · KSh 50", "Waiting for the draw"],
    ["Gameweek 2026-04 · KSh 100", "In play", "Group #3"],
    ["Gameweek 2026-03 · KSh 50", "Rank 2: the team could not be read", "Group #2"],
    ["Gameweek 2026-01 · KSh 50", "Refunded KSh 50", "Nobody else joined."],
  ]);
  expect(entries.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/leagues/2026-03-50-00002/settlement"]);
});
