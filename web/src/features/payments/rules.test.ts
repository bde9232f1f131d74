import { describe, expect, test } from "vitest";
import { errorOf } from "../../lib/parsed";
import { readDepositAmount, readDepositPhone } from "./rules";

describe("deposit (spec section 5)", () => {
  const BAD_PHONE = "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).";

  test.each([
    ["0712345678", undefined],
    ["0212345678", undefined],
    ["071234567", BAD_PHONE],
    ["7123456789", BAD_PHONE],
    ["", BAD_PHONE],
  ])("a deposit from %j: %s", (typed, error) => expect(errorOf(readDepositPhone(typed))).toBe(error));

  test.each([["0"], [""], ["abc"], ["-10"]])("a deposit of %j is refused", (typed) =>
    expect(errorOf(readDepositAmount(typed))).toBe("Enter a valid deposit amount greater than 0."),
  );

  test.each([["10.5"], ["1,00"], ["10,5"]])("a deposit of %j is a number, and not of whole shillings", (typed) =>
    expect(errorOf(readDepositAmount(typed))).toBe("Enter whole shillings, without a point: 10, or 1,000."),
  );

  test("a thousand with its comma is understood", () => expect(readDepositAmount("1,000")).toEqual({ ok: true, value: 1000 }));
});
