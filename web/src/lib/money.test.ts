import { expect, test } from "vitest";
import { ksh, parseAmount, signedKsh } from "./money";

test.each([
  [0, "KSh 0"],
  [50, "KSh 50"],
  [1000, "KSh 1,000"],
  [1234567, "KSh 1,234,567"],
])("%d is written %s", (kes, text) => expect(ksh(kes)).toBe(text));

test.each([
  [450, "+KSh 450"],
  [-1050, "−KSh 1,050"],
  [0, "KSh 0"],
])("a movement of %d is written %s", (kes, text) => expect(signedKsh(kes)).toBe(text));

test.each([
  ["60", 60],
  [" 60 ", 60],
  ["1,000", 1000],
  ["1,00", null],
  ["0", null],
  ["-5", null],
  ["1.5", null],
  ["1e3", null],
  ["", null],
  ["sixty", null],
])("the amount typed as %j is %j", (typed, amount) => expect(parseAmount(typed)).toBe(amount));
