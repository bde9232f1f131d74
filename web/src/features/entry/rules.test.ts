import { describe, expect, test } from "vitest";
import { readPayPhone } from "./rules";

describe("pay-now phone (spec section 5)", () => {
  test.each([
    ["0712345678", true],
    ["0112345678", true],
    ["0212345678", false],
    ["254712345678", false],
    ["071234567", false],
  ])("a prompt to %s is taken: %s", (typed, taken) => expect(readPayPhone(typed).ok).toBe(taken));
});
