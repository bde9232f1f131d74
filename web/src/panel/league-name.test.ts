import { expect, test } from "vitest";
import { leagueName } from "./league-name";

test("a league's name has its season, gameweek, stake and number, as its id has them", () => {
  expect(leagueName("2026-03-250-00012")).toBe("Gameweek 3 of 2026, KSh 250, Group #12");
});
