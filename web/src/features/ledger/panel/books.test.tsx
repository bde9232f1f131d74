import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs, openAt } from "../../../testing/app";
import { part } from "../../../testing/panel";
import { json, server, told, url } from "../../../testing/server";

beforeEach(() => logInAs("admin"));

const AT = "/panel/books";
const moved = (day: string, change: Partial<Schemas["ReconciledDay"]>): Schemas["ReconciledDay"] => ({
  day,
  deposits: 0,
  entries: 0,
  prizes: 0,
  fees: 0,
  rounding: 0,
  withdrawals: 0,
  refunds: 0,
  ...change,
});
const REPORT: Schemas["ReconciliationReport"] = {
  day: "2026-08-20",
  startedAt: "2026-08-19T21:10:00Z",
  finishedAt: "2026-08-19T21:12:00Z",
  wallets: 137,
  moving: 0,
  found: 0,
  differences: [],
  pausedPayouts: false,
  setAside: 0,
  setAsides: 0,
  unclaimed: 0,
  unclaimedPayments: 0,
  float: { said: "fits", cents: 1_250_050 },
};
const BOOKS: Schemas["Reconciliation"] = {
  asOf: "2026-08-19T21:00:00Z",
  accounts: [
    { name: "mpesa:in", amount: -2000 },
    { name: "pot:2026-03", amount: 500 },
    { name: "wallets", amount: 1500 },
  ],
  days: [moved("2026-08-18", { deposits: 1500 }), moved("2026-08-20", { deposits: 500, entries: 500, withdrawals: 60 })],
  payouts: { paused: false },
  report: REPORT,
  reversals: [],
};

function having(books: Partial<Schemas["Reconciliation"]>) {
  server.use(http.get(url("/api/admin/books"), () => json({ ...BOOKS, ...books })));
}

describe("books", () => {
  test("every account as of the last reading, together nothing", async () => {
    having({});
    const section = await part("Accounts", AT);
    expect(section.getByText(/^As of Thu 20 Aug, 00:00\./)).toBeInTheDocument();
    expect(section.getByText("Paid in by M-Pesa").nextSibling).toHaveTextContent("−KSh 2,000");
    expect(section.getByText("Pot of gameweek 2026-03").nextSibling).toHaveTextContent("KSh 500");
    expect(section.getByText("Together").nextSibling).toHaveTextContent("KSh 0");
  });

  const REVERSAL: Schemas["ReversalItem"] = {
    receipt: "NLJ7RT61SV",
    userId: "u7",
    username: "otieno",
    amount: 20_000,
    fromWallet: 5000,
    owed: 15_000,
    lost: 0,
    excise: 0,
    at: "2026-08-20T19:31:00Z",
  };

  test("of what M-Pesa has taken back the newest fifty are named, those of other years with their year", async () => {
    having({ reversals: Array.from({ length: 50 }, (_, i) => ({ ...REVERSAL, receipt: `NLJ7RT6${String(i).padStart(3, "0")}`, at: "2025-08-20T19:31:00Z" })) });
    const section = await part("Taken back by M-Pesa", AT);
    expect(section.getByText("The newest 50 are shown.")).toBeInTheDocument();
    expect(await section.findAllByText("Wed 20 Aug 2025, 22:31")).toHaveLength(50);
  });

  test("what M-Pesa has taken back, whose it was and who makes good for it", async () => {
    having({ reversals: [REVERSAL] });
    const section = await part("Taken back by M-Pesa", AT);
    expect(section.getByRole("link", { name: "otieno" })).toHaveAttribute("href", "/panel/players/u7");
    expect(section.getByText("Receipt NLJ7RT61SV")).toBeInTheDocument();
    expect(section.getByText("KSh 5,000 from the wallet, KSh 15,000 owed by the player")).toBeInTheDocument();
    expect(section.queryByText("The newest 50 are shown.")).not.toBeInTheDocument();
  });

  test("a reading that found nothing says so, with M-Pesa's balance", async () => {
    having({});
    const section = await part("Last reading", AT);
    expect(section.getByText(/^Everything agrees: 137 wallets/)).toBeInTheDocument();
    expect(section.getByText("M-Pesa’s account has changed as the postings say. It holds KSh 12,500.50.")).toBeInTheDocument();
  });

  test("differences with both figures, whose they are, and what else waits", async () => {
    having({
      payouts: { paused: true, by: "reconciliation", since: BOOKS.asOf, reason: "1 difference." },
      report: {
        ...REPORT,
        found: 2,
        moving: 1,
        pausedPayouts: true,
        differences: [
          { kind: "wallet", text: "A wallet is not what its postings say, or is below zero.", on: "u7", expected: 500, found: 450 },
          { kind: "prompts", text: "Prompts of a day differ.", on: "", day: "2026-08-18", expected: 1500, found: 1450 },
        ],
        setAsides: 1,
        setAside: 600,
        unclaimedPayments: 2,
        unclaimed: 300,
        float: { said: "differs", cents: 0, changeCents: -5000, expectedChangeCents: 10_000 },
      },
    });
    const section = await part("Last reading", AT);
    expect(section.getByRole("alert")).toHaveTextContent("2 differences in 137 wallets and the sums. Payouts were paused for it.");
    expect(section.getByText("By the postings KSh 500, found KSh 450")).toBeInTheDocument();
    expect(section.getByRole("link", { name: "Player u7" })).toHaveAttribute("href", "/panel/players/u7");
    expect(section.getByText("18 Aug")).toBeInTheDocument();
    expect(section.getByText(/^1 wallet moved/)).toBeInTheDocument();
    expect(section.getByText(/^M-Pesa’s account has changed by −KSh 50, by the postings it is KSh 100\./)).toBeInTheDocument();
    expect(section.getByText(/^1 payment is set aside, with KSh 600 in nobody’s wallet by M-Pesa’s report/)).toBeInTheDocument();
    expect(section.getByText(/^2 payments to the paybill .* KSh 300, are in nobody’s wallet and not set aside\./)).toBeInTheDocument();
    const accounts = within(screen.getByRole("region", { name: "Accounts" }));
    expect(accounts.getByText(/^Payouts are paused by the comparison of the books: 1 difference\./)).toBeInTheDocument();
  });

  test("a picture for each line, told in words, and the same figures in a table", async () => {
    having({});
    const section = await part("By day", AT);
    expect(section.getByRole("img", { name: "Deposits by day: KSh 2,000 in 30 days, most on 18 Aug: KSh 1,500." })).toBeInTheDocument();
    expect(section.getByRole("img", { name: "Prizes by day: nothing." })).toBeInTheDocument();
    const rows = section.getAllByRole("row").map((row) => Array.from(row.children, (cell) => cell.textContent).join(" "));
    expect(rows.slice(1)).toEqual(["20 Aug 500 500 0 0 60 0 0", "18 Aug 1,500 0 0 0 0 0 0"]);
    await userEvent.selectOptions(section.getByLabelText("How many days"), "14");
    expect(section.getByRole("img", { name: /^Deposits by day: KSh 2,000 in 14 days/ }).querySelectorAll("rect")).toHaveLength(14);
  });

  test("what M-Pesa has not paid after all is taken off on the day on which it says so", async () => {
    having({ days: [moved("2026-08-18", { withdrawals: 450 }), moved("2026-08-20", { withdrawals: -450 })] });
    const section = await part("By day", AT);
    expect(section.getByRole("img", { name: "Withdrawals by day: KSh 0 in 30 days, most on 18 Aug: KSh 450." })).toBeInTheDocument();
    const rows = section.getAllByRole("row").map((row) => Array.from(row.children, (cell) => cell.textContent).join(" "));
    expect(rows.slice(1)).toEqual(["20 Aug 0 0 0 0 −450 0 0", "18 Aug 0 0 0 0 450 0 0"]);
  });

  test("of days on which only that happened the sum is below zero", async () => {
    having({ days: [moved("2026-08-20", { withdrawals: -1450 })] });
    const section = await part("By day", AT);
    expect(section.getByRole("img", { name: "Withdrawals by day: −KSh 1,450 in 30 days." })).toBeInTheDocument();
    expect(section.getByRole("img", { name: "Deposits by day: nothing." })).toBeInTheDocument();
  });

  test("before the first reading", async () => {
    having({ asOf: null, accounts: [], days: [], report: null, readingSince: "2026-08-19T21:10:00Z" });
    const section = await part("Accounts", AT);
    expect(section.getByText("The books have not been read yet. That is done every night.")).toBeInTheDocument();
    expect(section.getByText("The books are being read since Thu 20 Aug, 00:10.")).toBeInTheDocument();
    expect(screen.getByText("No money has moved yet.")).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Last reading" })).not.toBeInTheDocument();
  });

  test("where they cannot be read it says so, and can be tried again", async () => {
    server.use(http.get(url("/api/admin/books"), () => told(403, "Not yours.")));
    openAt(AT);
    expect(await screen.findByText("The books could not be read just now.")).toBeInTheDocument();
    having({});
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("region", { name: "Accounts" })).toBeInTheDocument();
  });
});
