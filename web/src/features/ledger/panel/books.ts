import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { answerOf, type Result } from "../../../api/refusal";
import { last } from "../../../lib/last";
import { ksh } from "../../../lib/money";

export type Books = Schemas["Reconciliation"];
export type BooksDay = Schemas["ReconciledDay"];
export type Difference = Schemas["DifferenceItem"];
export type Float = Schemas["FloatItem"];
export type Reversal = Schemas["ReversalItem"];

export const booksQuery = queryOptions({
  queryKey: ["books"],
  // The same call answers a table where one is asked for.
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/books", { signal }) as Promise<Result<Books>>),
});

/** Money that may be owed: `−KSh 1,350`. Whole KES. */
export const balance = (kes: number) => `${kes < 0 ? "−" : ""}${ksh(Math.abs(kes))}`;

/** M-Pesa counts in cents; they are shown where there are any. */
export function ofCents(cents: number): string {
  const rest = Math.abs(cents) % 100;
  const sign = cents < 0 ? "−" : "";
  return `${sign}${ksh(Math.trunc(Math.abs(cents) / 100))}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

const ACCOUNTS: Record<string, string> = {
  wallets: "Players’ wallets",
  "mpesa:in": "Paid in by M-Pesa",
  "mpesa:out": "Paid out by M-Pesa",
  withdrawals: "Withdrawals on their way",
  "tax:excise": "Excise duty taken of deposits",
  "tax:withholding": "Withholding tax kept back",
  fees: "Fees",
  rounding: "What did not divide",
  debts: "Owed by players",
  losses: "Losses",
  corrections: "Corrected by hand",
};

/** An account by a name that people read; a new one by the name it has. */
export const accountName = (name: string) =>
  name.startsWith("pot:") ? `Pot of gameweek ${name.slice(4)}` : (ACCOUNTS[name] ?? name);

/** What M-Pesa's own balance says to the postings. */
export function floatSays({ said, cents, changeCents, expectedChangeCents }: Float): string {
  const now = cents === null || cents === undefined ? "" : ` It holds ${ofCents(cents)}.`;
  switch (said) {
    case "fits":
      return `M-Pesa’s account has changed as the postings say.${now}`;
    case "differs":
      return `M-Pesa’s account has changed by ${ofCents(changeCents ?? 0)}, by the postings it is ${ofCents(expectedChangeCents ?? 0)}.${now} Charges, and money that you moved there, are in no posting.`;
    case "first":
      return `M-Pesa told its account for the first time: there is nothing to compare it with yet.${now}`;
    case "not-asked":
      return "M-Pesa was not asked for its account.";
    case "not-answered":
      return "M-Pesa did not tell what its account holds.";
    case "unreadable":
      return "What M-Pesa told of its account could not be read.";
    case "no-account":
      return "M-Pesa’s answer did not name our account.";
  }
}

/** Whose page a difference leads to: of wallets it is the player's. */
export const playerOf = ({ kind, on }: Difference) => (kind === "wallet" || kind === "movements" || kind === "debt" ? on : null);

/** `expected` and `found` in their unit: movements are counted. */
export const figureOf = ({ kind }: Difference, figure: number) => (kind === "movements" ? `${figure} movements` : balance(figure));

export const CATEGORIES = ["deposits", "entries", "prizes", "fees", "withdrawals"] as const;
export type Category = (typeof CATEGORIES)[number];
export const CATEGORY_NAMES: Record<Category, string> = {
  deposits: "Deposits",
  entries: "Entries",
  prizes: "Prizes",
  fees: "Fees",
  withdrawals: "Withdrawals",
};

/** What moved in a category over some days, in KES, and the day on which it was most. */
export function sumOf(days: readonly BooksDay[], category: Category) {
  const total = days.reduce((sum, day) => sum + day[category], 0);
  const most = days.reduce<BooksDay | null>((best, day) => (day[category] > (best?.[category] ?? 0) ? day : best), null);
  return { total, most };
}

/** Days without a movement are days too: the picture has one place for each. The last `count` until the last day. */
export function lastDays(days: readonly BooksDay[], count: number): BooksDay[] {
  const lastDay = last(days)?.day;
  if (!lastDay) return [];
  const known = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(`${lastDay}T00:00:00Z`);
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(end - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10);
    return known.get(day) ?? { day, deposits: 0, entries: 0, prizes: 0, fees: 0, rounding: 0, withdrawals: 0, refunds: 0 };
  });
}
