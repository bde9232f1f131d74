import { expect, test } from "vitest";
import { readCorrection } from "./corrections";

test.each([
  ["400", 400],
  [" -400 ", -400],
  ["−1,000", -1000],
  ["+50", 50],
  ["-250000", -250_000],
])("%s is an amount to give or to take", (typed, amount) => {
  expect(readCorrection(typed)).toEqual({ ok: true, value: amount });
});

test.each(["", "0", "1.5", "250001", "-250001", "much", "9999999", "2,50", "10,00", "-4,00", "1 000"])("%s is none", (typed) => {
  expect(readCorrection(typed).ok).toBe(false);
});
