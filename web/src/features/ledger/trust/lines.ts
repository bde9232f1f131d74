import type { Sums } from "./trust";
import { msg } from "../../../lib/i18n";

type What = Sums["lines"][number]["what"];

/** What lies between the wallets' sum and what M-Pesa holds, in plain words. */
export const nameOfLine = (what: What): string =>
  ({
    pots: msg("Entries of gameweeks that are not paid out yet"),
    withdrawals: msg("Withdrawals under way: out of the wallet, not yet paid by M-Pesa"),
    taxes: msg("Withholding tax that was kept back of withdrawals: we owe it to the state, or have paid it"),
    excise: msg("Excise duty that was taken of deposits: we owe it to the state, or have paid it"),
    debts: msg("What players owe, after M-Pesa took payments back"),
    operator: msg("Our fees and remainders, less losses and corrections, and what concerns fewer than five players, payments or withdrawals"),
    "set-aside": msg("Payments that wait for a person to look at them"),
    unclaimed: msg("Payments of the last week that are in nobody’s wallet yet"),
    "not-booked": msg("What is in no books: money that we have put in or taken out, M-Pesa’s charges, and what moved between the two times"),
  })[what];
