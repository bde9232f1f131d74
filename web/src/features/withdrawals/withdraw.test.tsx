import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, LIMITS, noAnswer, server, SETTINGS, told, url, USER } from "../../testing/server";

beforeEach(() => logInAs("player"));

describe("withdrawal (spec sections 2, 5 and 8)", () => {
  async function withdraw(number: string, amount: string) {
    openAt("/payment");
    return send(number, amount);
  }

  async function send(number: string, amount: string) {
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    await userEvent.type(dialog.getByLabelText("M-Pesa number"), number);
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), amount);
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    return dialog;
  }

  test("a request is sent under a key of its own and the new balance shows", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/withdraw"), async ({ request }) => {
        sent.push(await request.json(), request.headers.get("idempotency-key"));
        return json({ message: "ok", walletBalance: 440 });
      }),
    );
    const dialog = await withdraw("0712 345 678", "60");
    expect(await dialog.findByText("Withdrawal request submitted successfully!")).toBeInTheDocument();
    expect(dialog.getByText(/^KSh 60 goes to 0712345678\./)).toBeInTheDocument();
    expect(sent).toEqual([{ mpesaNumber: "0712345678", amount: 60 }, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(localStorage.getItem("wallet")).toBe("440");
  });

  test("who owes is told why there is nothing to withdraw", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, wallet: 0, owed: 300 })));
    const dialog = await withdraw("0712 345 678", "60");
    expect(dialog.getByText(/^You owe KSh 300: .* then you can enter and withdraw again\.$/)).toBeInTheDocument();
    expect(dialog.getByText("Insufficient wallet balance.")).toBeInTheDocument();
  });

  test("the month beside the wallet is read anew", async () => {
    let takenOut = 0;
    server.use(
      http.get(url("/api/me/limits"), () => json({ ...LIMITS, month: { ...LIMITS.month, takenOut } })),
      http.post(url("/api/withdraw"), () => {
        takenOut = 60;
        return json({ message: "ok", walletBalance: 440 });
      }),
    );
    openAt("/payment");
    await userEvent.click(await screen.findByText("Paid in, won and taken out this month"));
    expect((await screen.findByText("Taken out")).nextSibling).toHaveTextContent("KSh 0");
    await send("0712345678", "60");
    await expect.poll(() => screen.getByText("Taken out").nextSibling?.textContent).toBe("KSh 60");
  });

  test("taken, and no answer came: the list shows it, and the same can be sent again whatever is left", async () => {
    const keys: (string | null)[] = [];
    const item = {
      _id: "w1",
      userId: "u1",
      username: "wanjiru",
      mpesaNumber: "0712345678",
      amount: 450,
      pays: 450,
      status: "pending",
      createdAt: "2026-08-20T09:00:00Z",
      flagged: false,
      flags: [],
    } satisfies Schemas["WithdrawalItem"];
    server.use(
      http.get(url("/api/withdraw"), () => json(keys.length > 0 ? [item] : [])),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 50, owed: 0 })),
      http.post(url("/api/withdraw"), ({ request }) => {
        keys.push(request.headers.get("idempotency-key"));
        return keys.length === 1 ? noAnswer() : json({ message: "ok", walletBalance: 50 });
      }),
    );
    openAt("/withdrawals");
    const dialog = await send("0712345678", "450");
    expect(await dialog.findByText(/^Send it again/)).toBeInTheDocument();
    expect(await screen.findByText("Waiting to be sent")).toBeInTheDocument();
    expect(await dialog.findByText("From KSh 60. You have KSh 50.")).toBeInTheDocument();
    expect(dialog.queryByText("Insufficient wallet balance.")).not.toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    expect(await dialog.findByText(/^You had sent this before, and no answer came\. Withdrawals shows what has become of it\./)).toBeInTheDocument();
    expect(dialog.queryByText(/submitted|has left/)).not.toBeInTheDocument();
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("no answer, and asked for again on another page: it is the same request, whatever is left and however the number is typed", async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, wallet: keys.length > 0 ? 40 : 100 })),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: keys.length > 0 ? 40 : 100, owed: 0 })),
      http.post(url("/api/withdraw"), ({ request }) => {
        keys.push(request.headers.get("idempotency-key"));
        return keys.length === 1 ? noAnswer() : json({ message: "ok", walletBalance: 90 });
      }),
    );
    const { unmount } = openAt("/payment");
    const dialog = await send("0712345678", "60");
    expect(await dialog.findByText(/^Send it again as it is, on this phone and without logging out before: for 10 hours it is taken only once\./)).toBeInTheDocument();
    unmount();
    openAt("/withdrawals");
    const again = await send("254712345678", "60");
    expect(await again.findByText(/^You had sent this before, and no answer came\./)).toBeInTheDocument();
    expect(keys).toEqual([keys[0], keys[0]]);
    await expect.poll(() => localStorage.getItem("wallet")).toBe("40");
  });

  test("too many calls say nothing of the one before that got no answer", async () => {
    server.use(http.post(url("/api/withdraw"), noAnswer));
    const dialog = await withdraw("0712345678", "60");
    await dialog.findByText(/^Send it again/);
    server.use(http.post(url("/api/withdraw"), () => told(429, "Too many requests.")));
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    expect(await dialog.findByText("Too many requests.")).toBeInTheDocument();
    expect(dialog.getByText(/^Send it again/)).toBeInTheDocument();
  });

  test("long after the first one nothing is promised", async () => {
    const sent = { key: "a".repeat(32), at: Date.now() - 13 * 3_600_000 };
    localStorage.setItem("unanswered", JSON.stringify({ 'withdraw {"mpesaNumber":"0712345678","amount":60}': sent }));
    server.use(http.post(url("/api/withdraw"), noAnswer));
    const dialog = await withdraw("0712345678", "60");
    expect(await dialog.findByText("It may have been taken. See Withdrawals before you ask again.")).toBeInTheDocument();
  });

  test("a tax that is kept back is shown before it is asked for, and after", async () => {
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, withholdingPercent: 5 })),
      http.post(url("/api/withdraw"), () => json({ message: "ok", walletBalance: 50 })),
    );
    openAt("/payment");
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    await userEvent.type(dialog.getByLabelText("M-Pesa number"), "0712345678");
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "450");
    const tax = "Of it KSh 22 is withholding tax (5 %, rounded down): M-Pesa pays KSh 428.";
    expect(await dialog.findByText(tax)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    expect(await dialog.findByText("Withdrawal request submitted successfully!")).toBeInTheDocument();
    expect(dialog.getByText(tax)).toBeInTheDocument();
  });

  test("the least that goes out is the settings'", async () => {
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, minimumWithdrawal: 80 })));
    const dialog = await withdraw("0712345678", "79");
    expect(await dialog.findByText("Minimum withdrawal amount is KES 80.")).toBeInTheDocument();
    expect(dialog.getByText("From KSh 80. You have KSh 500.")).toBeInTheDocument();
  });

  test.each([
    ["0712345678", "abc", "Please enter a valid amount."],
    ["0712345678", "59", "Minimum withdrawal amount is KES 60."],
    ["0712345678", "501", "Insufficient wallet balance."],
    ["0812345678", "60", "Please enter a valid Kenyan M-Pesa number."],
  ])("to %s, %s: %s", async (number, amount, text) => {
    const dialog = await withdraw(number, amount);
    expect(dialog.getByRole("alert")).toHaveTextContent(text);
  });

  test.each([
    [() => told(400, "Not now."), "Not now.", "Nothing left your wallet."],
    [() => json({}, { status: 500 }), "Withdrawal failed", /^Send it again/],
    [noAnswer, "An error occurred while submitting withdrawal.", /^Send it again/],
  ])("a refusal: its text, what became of the money, and the form stays (%#)", async (answer, text, money) => {
    server.use(http.post(url("/api/withdraw"), answer));
    const dialog = await withdraw("0712345678", "60");
    expect(await dialog.findByRole("alert")).toHaveTextContent(text);
    expect(dialog.getByText(money)).toBeInTheDocument();
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveValue("60");
  });
});
