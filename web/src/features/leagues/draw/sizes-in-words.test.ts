import { expect, test } from "vitest";
import { inWords } from "./sizes-in-words";

test.each([
  [0, [], "Nobody joined."],
  [1, [], "One player joined, and was refunded."],
  [10, [10], "10 players in one league of ten."],
  [20, [10, 10], "20 players in 2 leagues of ten."],
  [7, [7], "7 players in one league of 7."],
  [12, [6, 6], "12 players in 2 leagues of 6."],
  [13, [7, 6], "13 players in 2 leagues: one of 7, one of 6."],
  [33, [10, 10, 7, 6], "33 players in 4 leagues: 2 of ten, one of 7, one of 6."],
  [22, [10, 6, 6], "22 players in 3 leagues: one of ten, 2 of 6."],
])("%i players in leagues of %j", (entries, sizes, text) => expect(inWords({ entries, sizes })).toBe(text));
