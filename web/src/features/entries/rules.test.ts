import { describe, expect, test } from "vitest";
import { errorOf } from "../../lib/parsed";
import { readPayPhone } from "./rules";

describe("pay-now phone (spec section 5)", () => {
  const BAD_PHONE = "Please enter a valid 10-digit Safaricom number (07XXXXXXXX or 01XXXXXXXX).";

  test.each([
    ["0712345678", undefined],
    ["0112345678", undefined],
    ["0212345678", BAD_PHONE],
    ["254712345678", BAD_PHONE],
    ["071234567", BAD_PHONE],
  ])("a prompt to %s: %s", (typed, error) => expect(errorOf(readPayPhone(typed))).toBe(error));
});
