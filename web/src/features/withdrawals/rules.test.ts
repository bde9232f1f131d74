import { describe, expect, test } from "vitest";
import { errorOf } from "../../lib/parsed";
import { MINIMUM_WITHDRAWAL, readWithdrawalAmount, readWithdrawalPhone } from "./rules";

describe("withdrawal (spec section 5)", () => {
  const BAD_PHONE = "Please enter a valid Kenyan M-Pesa number.";

  test.each([
    ["0712345678", undefined],
    ["0112 345 678", undefined],
    ["254712345678", undefined],
    ["254112345678", undefined],
    ["0212345678", BAD_PHONE],
    ["+254712345678", BAD_PHONE],
    ["07123456789", BAD_PHONE],
  ])("a withdrawal to %j: %s", (typed, error) => expect(errorOf(readWithdrawalPhone(typed))).toBe(error));

  test.each([
    ["abc", 500, "Please enter a valid amount."],
    ["0", 500, "Please enter a valid amount."],
    ["60.5", 500, "Enter whole shillings, without a point: 10, or 1,000."],
    ["1,000", 1000, undefined],
    ["59", 500, "Minimum withdrawal amount is KES 60."],
    ["501", 500, "Insufficient wallet balance."],
    ["500", 500, undefined],
    ["60", null, undefined],
  ])("a withdrawal of %j with KSh %j: %s", (typed, balance, error) =>
    expect(errorOf(readWithdrawalAmount(typed, MINIMUM_WITHDRAWAL, balance))).toBe(error),
  );
});
