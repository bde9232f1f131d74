import { expect, test } from "vitest";
import { rank, type Member } from "./ranking";

const member = (username: string, points: number | null, bench: number | null = 0): Member => ({
  fplId: username,
  username,
  points,
  bench,
  gross: points,
  hits: 0,
  chip: null,
  refund: null,
  missing: false,
  final: false,
  prize: null,
  loading: false,
});
const missing = (username: string): Member => ({ ...member(username, null, null), missing: true });
const order = (members: Member[]) => rank(members).map((m) => `${m.rank ?? "–"} ${m.username}${m.tied ? " tied" : ""}`);

test("points decide, then bench points; an equal pair shares its rank (spec sections 1 and 5)", () => {
  expect(order([member("a", 40), member("b", 61, 3), member("c", 61, 7), member("d", 40)])).toEqual([
    "1 c tied",
    "2 b tied",
    "3 a tied",
    "3 d tied",
  ]);
});

test("before there are points, players stand in order of joining, and have no rank", () => {
  expect(order([member("a", null), member("b", null)])).toEqual(["– a", "– b"]);
});

test("who has no points yet stands last without a rank, also where others are below 0; who is missing counts as 0", () => {
  expect(order([member("a", null, null), member("b", -4), missing("c"), member("d", 12)])).toEqual(["1 d", "2 c", "3 b", "– a"]);
  expect(order([member("a", null, null), member("b", 0), member("c", 0)])).toEqual(["1 b tied", "1 c tied", "– a"]);
});
