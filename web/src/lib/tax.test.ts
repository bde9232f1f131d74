import { describe, expect, test } from "vitest";
import { taxInWords, withheldOf } from "./tax";

describe("withholding tax", () => {
  test.each([
    [450, 5, 22],
    [19, 5, 0],
    [20, 5, 1],
    [1000, 7.25, 72],
    [10_000, 0.05, 5],
    [61, 50, 30],
  ])("of %i at %f percent it is %i, as the server reckons it", (amount, percent, tax) => {
    expect(withheldOf(amount, percent)).toBe(tax);
  });

  test("nothing is said where nothing is kept back", () => {
    expect(taxInWords(450, null)).toBeNull();
    expect(taxInWords(19, { percent: 5, amount: 0 })).toBeNull();
    expect(taxInWords(450, { percent: 5, amount: 22 })).toBe("Of it KSh 22 is withholding tax (5 %): M-Pesa pays KSh 428.");
  });
});
