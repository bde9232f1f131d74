import { describe, expect, test } from "vitest";
import { exciseAhead, paidFor, taxInWords, taxOf, taxOfMovement } from "./tax";

describe("taxes", () => {
  test.each([
    [450, 5, 22],
    [19, 5, 0],
    [20, 5, 1],
    [1000, 7.25, 72],
    [10_000, 0.05, 5],
    [61, 50, 30],
  ])("of %i at %f percent it is %i, as the server reckons it", (amount, percent, tax) => {
    expect(taxOf(amount, percent)).toBe(tax);
  });

  test("nothing is said where nothing is kept back", () => {
    expect(taxInWords(450, null)).toBeNull();
    expect(taxInWords(19, { percent: 5, amount: 0 })).toBeNull();
    expect(taxInWords(450, { percent: 5, amount: 22 })).toBe("Of it KSh 22 is withholding tax (5 %, rounded down): M-Pesa pays KSh 428.");
  });

  test.each([
    [50, 5, 52],
    [100, 5, 105],
    [250, 5, 263],
    [250, 7.25, 269],
    [50, 50, 99],
    [50, null, 50],
  ])("for a stake of %i at %s percent %i is paid, as the server reckons it", (stake, percent, paid) => {
    expect(paidFor(stake, percent)).toBe(paid);
    expect(paid - taxOf(paid, percent ?? 0)).toBe(stake);
  });

  test("excise before and after it is paid, and where it goes back", () => {
    expect([exciseAhead(200, null), exciseAhead(19, 5)]).toEqual([null, null]);
    expect(exciseAhead(200, 5)).toBe("Of it KSh 10 is excise duty (5 %, rounded down): KSh 190 comes to your wallet.");
    const tax = { percent: 5, amount: 10 };
    const paid = "Of KSh 200 that you paid, KSh 10 was excise duty (5 %).";
    for (const kind of ["deposit", "manual", "paybill"]) expect(taxOfMovement(kind, 190, tax)).toBe(paid);
    expect(taxOfMovement("reversal", -190, tax)).toBe("KSh 10 of excise duty (5 %) went back with it.");
    expect(taxOfMovement("withdrawal", -200, tax)).toBe("Of it KSh 10 is withholding tax (5 %, rounded down): M-Pesa pays KSh 190.");
    // M-Pesa has paid what had gone back, and the wallet does not hold it any more, or less of it than the tax.
    for (const amount of [-200, -7, 0]) {
      expect(taxOfMovement("correction", amount, tax)).toBe("KSh 10 of withholding tax (5 %) was kept back with it.");
    }
    expect(taxOfMovement("withdrawal-rejected", 200, tax)).toBeNull();
    // What failed after all is in the wallet again, whole.
    expect(taxOfMovement("correction", 200, tax)).toBeNull();
    expect(taxOfMovement("deposit", 190, null)).toBeNull();
  });
});
