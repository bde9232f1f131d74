import { expect, test } from "vitest";
import { leaguePays, leagueSizes, projection } from "./projection";

test.each([
  [0, []],
  [1, []],
  [2, [2]],
  [9, [9]],
  [10, [10]],
  [11, [6, 5]],
  [12, [6, 6]],
  [15, [8, 7]],
  [16, [10, 6]],
  [25, [10, 8, 7]],
  [30, [10, 10, 10]],
])("%d entries make leagues of %j, as the draw does", (entries, sizes) => expect(leagueSizes(entries)).toEqual(sizes));

test("the fee is rounded down, as it is when the league is settled", () => expect(leaguePays(50, 7, 10)).toBe(315));

test.each([
  [0, "0 in. 10 players make one league of ten, KSh 450."],
  [1, "1 in: one player alone gets the money back. 9 more make one league of ten, KSh 450."],
  [7, "7 in: one league of 7, which pays KSh 315. 3 more make one league of ten, KSh 450."],
  [10, "10 in: one league of ten, which pays KSh 450."],
  [12, "12 in: two leagues of 6, each pays KSh 270. 8 more make two of ten, KSh 450 each."],
  [19, "19 in: one league of ten, which pays KSh 450; one of 9, which pays KSh 405. 1 more makes two of ten, KSh 450 each."],
  [25, "25 in: one league of ten, which pays KSh 450; one of 8, which pays KSh 360; one of 7, which pays KSh 315. 5 more make three of ten, KSh 450 each."],
])("%d in at KSh 50", (entries, text) => expect(projection({ entryAmount: 50, entries }, 10)).toBe(text));
