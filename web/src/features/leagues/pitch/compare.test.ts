import { expect, test } from "vitest";
import type { Footballer } from "../leagues";
import { compare, toPass } from "./compare";

const one = (id: number, points: number, multiplier = 1) => ({ id, points, multiplier }) as Footballer;

test("who counts as often in both is left out; an armband more is what it adds; a bench counts for nothing", () => {
  const mine = [one(1, 6, 2), one(2, 5), one(3, 4), one(4, 9, 0)];
  const theirs = [one(1, 6), one(2, 5), one(4, 9), one(5, -1)];
  const { mine: onlyMine, theirs: onlyTheirs } = compare(mine, theirs);
  expect(onlyMine.map(({ id, points }) => [id, points])).toEqual([[1, 6], [3, 4]]);
  expect(onlyTheirs.map(({ id, points }) => [id, points])).toEqual([[4, 9], [5, -1]]);
  // What is apart is exactly what the two totals differ by.
  const total = (team: Footballer[]) => team.reduce((sum, { points, multiplier }) => sum + points * multiplier, 0);
  const sum = (rows: { points: number }[]) => rows.reduce((all, { points }) => all + points, 0);
  expect(sum(onlyMine) - sum(onlyTheirs)).toBe(total(mine) - total(theirs));
});

const MOVES = { me: false, other: true };
const OVER = { me: true, other: true };

test.each([
  [MOVES, 50, 3, 53, 3, "You need 4 more points to pass otieno."],
  [MOVES, 50, 9, 53, 3, "You need 3 more points to pass otieno."],
  [MOVES, 52, 9, 53, 3, "You need 1 more point to pass otieno."],
  [MOVES, 53, 3, 50, 9, "You are 3 points ahead: otieno needs 3 more to pass you."],
  [MOVES, 53, 3, 50, 3, "You are 3 points ahead: otieno needs 4 more to pass you."],
  [MOVES, 51, 3, 50, 3, "You are 1 point ahead: otieno needs 2 more to pass you."],
  [MOVES, 50, 3, 50, 5, "You are level, and otieno is ahead by bench points: 1 more point passes them."],
  [MOVES, 50, 5, 50, 3, "You are level, and ahead of otieno by bench points."],
  [MOVES, 50, 3, 50, 3, "You are level with otieno, on the bench too: 1 more point passes them."],
  [OVER, 50, 3, 53, 9, "otieno had 3 points more."],
  [OVER, 52, 3, 53, 9, "otieno had 1 point more."],
  [OVER, 53, 3, 50, 9, "You had 3 points more."],
  [OVER, 51, 3, 50, 9, "You had 1 point more."],
  [OVER, 50, 3, 50, 5, "You were level, and otieno was ahead by bench points."],
  [OVER, 50, 5, 50, 3, "You were level, and ahead of otieno by bench points."],
  [OVER, 50, 3, 50, 3, "You and otieno were level, on the bench too."],
])("over: %j, %i (bench %i) against %i (bench %i): %s", (over, points, bench, others, othersBench, said) => {
  expect(toPass({ points, bench, over: over.me }, { points: others, bench: othersBench, over: over.other }, "otieno")).toBe(said);
});

test("nothing is said of points that are not known", () => {
  expect(toPass({ points: null, bench: null, over: false }, { points: 3, bench: 0, over: false }, "otieno")).toBeNull();
});
