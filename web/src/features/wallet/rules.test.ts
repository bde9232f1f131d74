import { describe, expect, test } from "vitest";
import { errorOf } from "../../lib/parsed";
import { readDepositAmount, readDepositPhone, readWithdrawalAmount, readWithdrawalPhone } from "./rules";

describe("deposit and withdrawal (spec section 5)", () => {
  const BAD_DEPOSIT_PHONE = "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).";
  const BAD_WITHDRAWAL_PHONE = "Please enter a valid Kenyan M-Pesa number.";

  test.each([
    ["0712345678", undefined],
    ["0212345678", undefined],
    ["071234567", BAD_DEPOSIT_PHONE],
    ["7123456789", BAD_DEPOSIT_PHONE],
    ["", BAD_DEPOSIT_PHONE],
  ])("a deposit from %j: %s", (typed, error) => expect(errorOf(readDepositPhone(typed))).toBe(error));

  test.each([["0"], [""], ["abc"], ["-10"], ["10.5"]])("a deposit of %j is refused", (typed) =>
    expect(errorOf(readDepositAmount(typed))).toBe("Enter a valid deposit amount greater than 0."),
  );

  test.each([
    ["0712345678", undefined],
    ["0112 345 678", undefined],
    ["254712345678", undefined],
    ["254112345678", undefined],
    ["0212345678", BAD_WITHDRAWAL_PHONE],
    ["+254712345678", BAD_WITHDRAWAL_PHONE],
    ["07123456789", BAD_WITHDRAWAL_PHONE],
  ])("a withdrawal to %j: %s", (typed, error) => expect(errorOf(readWithdrawalPhone(typed))).toBe(error));

  test.each([
    ["abc", 500, "Please enter a valid amount."],
    ["0", 500, "Please enter a valid amount."],
    ["59", 500, "Minimum withdrawal amount is KES 60."],
    ["501", 500, "Insufficient wallet balance."],
    ["500", 500, undefined],
    ["60", null, undefined],
  ])("a withdrawal of %j with KSh %j: %s", (typed, balance, error) =>
    expect(errorOf(readWithdrawalAmount(typed, balance))).toBe(error),
  );
});
