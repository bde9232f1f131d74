import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import * as page from "../../lib/page";
import { logInAs, openAt } from "../../testing/app";
import { fastTimers, started, statuses, user } from "../../testing/prompts";
import { GAMEWEEK, json, LIMITS, noAnswer, server, SETTINGS, url, USER } from "../../testing/server";

let reloaded: MockInstance;

beforeEach(() => {
  reloaded = vi.spyOn(page, "reloadPage").mockReturnValue(undefined);
  fastTimers();
  logInAs("player");
});

describe("deposit by prompt (spec section 4)", () => {
  const shown = async () => within(await screen.findByRole("dialog", { name: "Deposit to Wallet" }));

  async function openDialog() {
    await user().click(await screen.findByRole("button", { name: "Profile" }));
    await user().click(await screen.findByRole("button", { name: "Top Up Wallet" }));
    return shown();
  }

  async function deposit(phone = "0712345678", amount = "200") {
    openAt("/payment");
    const dialog = await openDialog();
    await user().type(dialog.getByLabelText("Phone number"), phone);
    await user().type(dialog.getByLabelText("Amount (KSh)"), amount);
    await user().click(dialog.getByRole("button", { name: "Deposit" }));
    return dialog;
  }

  test("SUCCESS: said, the wallet stored, the page loaded again after 2 s", async () => {
    const asked = statuses("/api/deposits/status", "PENDING", "SUCCESS");
    const bodies: unknown[] = [];
    server.use(
      http.post(url("/api/deposits"), async ({ request }) => {
        bodies.push(await request.json());
        return started();
      }),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 700 })),
    );
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByText("Deposit successful")).toBeInTheDocument();
    await expect.poll(() => localStorage.getItem("wallet")).toBe("700");
    expect(bodies).toEqual([{ phone: "0712345678", amount: 200, userId: "u1" }]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reloaded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(() => reloaded.mock.calls.length).toBe(1);
  });

  test("set aside: a person looks at it, nobody is to enter a PIN or pay again, and what comes of it is told", async () => {
    let answer: object = { success: true, status: "PENDING", message: "This M-Pesa receipt was credited before." };
    server.use(http.post(url("/api/deposits"), started), http.get(url("/api/deposits/status"), () => json(answer)));
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByText(/^Your payment of KSh 200 is being looked at by a person. Do not pay again./)).toBeInTheDocument();
    expect(dialog.queryByText(/PIN/)).not.toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Deposit" })).toBeDisabled();
    answer = { success: true, status: "SUCCESS" };
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByText("Deposit successful")).toBeInTheDocument();
  });

  test("what has paid a debt is told in the dialog, and once more on the page that is loaded again", async () => {
    const message = "KSh 50 of this payment has gone towards what you owed, KSh 150 is in your wallet.";
    const prompt = { checkoutId: "c1", amount: 200, tax: null, at: GAMEWEEK.now, entered: false, state: "SUCCESS", reason: message };
    server.use(
      http.post(url("/api/deposits"), started),
      http.get(url("/api/deposits/status"), () => json({ success: true, status: "SUCCESS", message })),
      http.get(url("/api/me/payments"), () => json([prompt])),
    );
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByText(`Deposit successful. ${message}`)).toBeInTheDocument();
    expect(await screen.findByText(`Your payment of KSh 200 arrived. ${message}`)).toBeInTheDocument();
  });

  test("closed within the 2 s: the page is not loaded again under what the player does", async () => {
    statuses("/api/deposits/status", "SUCCESS");
    server.use(http.post(url("/api/deposits"), started));
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByText("Deposit successful");
    await user().click(dialog.getByRole("button", { name: "Close" }));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reloaded).not.toHaveBeenCalled();
  });

  test("no answer and network errors keep it asking, quietly", async () => {
    let asked = 0;
    server.use(
      http.post(url("/api/deposits"), started),
      http.get(url("/api/deposits/status"), () => {
        asked += 1;
        if (asked % 3 === 0) return json({ success: true, status: "PENDING" });
        return asked % 3 === 1 ? Response.error() : json({}, { status: 500 });
      }),
    );
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    for (let i = 1; i <= 15; i += 1) {
      await vi.advanceTimersByTimeAsync(5_000);
      await expect.poll(() => asked).toBe(i);
    }
    expect(dialog.queryByRole("alert")).not.toBeInTheDocument();
    expect(dialog.getByText(/Prompt sent/)).toBeInTheDocument();
  });

  test.each([
    [429, "Too many payment requests to this number. Try again in 9 minutes."],
    [409, "This number belongs to another player. Use your own, or pay to the paybill with your account."],
  ])("where no prompt is sent the paybill and the account are shown (%s)", async (status, message) => {
    const paybill = { number: "174379", account: "1000002" };
    server.use(http.post(url("/api/deposits"), () => json({ success: false, message, paybill }, { status })));
    const dialog = await deposit();
    expect(await dialog.findByText(message)).toBeInTheDocument();
    expect(dialog.getByText("You were not charged.")).toBeInTheDocument();
    expect(dialog.getByText("Account").nextSibling).toHaveTextContent("1000002");
  });

  test.each([
    ["FAILED", /^Your payment of KSh 200 failed\./],
    ["SUCCESS", "Deposit successful: KSh 200 is in your wallet."],
  ])("closed while it waits, it goes on: %s is shown on the page, which is not loaded again", async (state, text) => {
    const asked = statuses("/api/deposits/status", "PENDING", state);
    server.use(
      http.post(url("/api/deposits"), started),
      http.get(url("/api/me/payments"), () =>
        json(asked.mock.calls.length < 2 ? [] : [{ checkoutId: "c1", amount: 200, at: GAMEWEEK.now, entered: false, state }]),
      ),
    );
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await user().click(dialog.getByRole("button", { name: "Close" }));
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await screen.findByText(text)).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reloaded).not.toHaveBeenCalled();

    const again = await openDialog();
    expect(again.getByRole("button", { name: "Deposit" })).toBeEnabled();
    expect(again.queryByText("Deposit successful")).not.toBeInTheDocument();
    expect(again.queryByRole("alert")).not.toBeInTheDocument();
  });

  test.each(["PENDING", "FAILED"])("opened anew because a balance does not suffice, it says so, whatever was told before (%s)", async (state) => {
    const asked = statuses("/api/deposits/status", state);
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, wallet: 10 })),
      http.post(url("/api/deposits"), started),
    );
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    if (state === "FAILED") await dialog.findByText("Payment failed. Please try again.");
    await user().click(dialog.getByRole("button", { name: "Close" }));
    await user().click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
    await user().click(await screen.findByRole("button", { name: "Join for 50" }));
    const again = await shown();
    expect(again.getByRole("alert")).toHaveTextContent("Insufficient wallet balance for KSh 50. Please top up.");
    expect(again.queryByText(/^Payment failed/)).not.toBeInTheDocument();
  });

  test("what arrives pays a debt first: the debt that is left and the month are shown as they are now", async () => {
    const paid = vi.fn(() => 0);
    server.use(
      http.get(url("/api/user"), () => json({ ...USER, wallet: 0, owed: 250 })),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 0, owed: 50 })),
      http.get(url("/api/me/limits"), () => json({ ...LIMITS, month: { ...LIMITS.month, paidIn: paid() } })),
      http.post(url("/api/deposits"), started),
    );
    statuses("/api/deposits/status", "SUCCESS");
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await user().click(dialog.getByRole("button", { name: "Close" }));
    expect(await screen.findByText(/^You owe KSh 250:/)).toBeInTheDocument();
    await user().click(screen.getByText("Paid in, won and taken out this month"));
    await expect.poll(() => paid.mock.calls.length).toBe(1);
    paid.mockReturnValue(200);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await screen.findByText(/^You owe KSh 50:/)).toBeInTheDocument();
    await expect.poll(() => screen.getByText("Paid in").nextSibling?.textContent).toBe("KSh 200");
  });

  test("who owes is told that a deposit pays it first, and not what of it comes to the wallet", async () => {
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })),
      http.get(url("/api/user"), () => json({ ...USER, wallet: 0, owed: 300 })),
    );
    openAt("/payment");
    const dialog = await openDialog();
    await user().type(dialog.getByLabelText("Amount (KSh)"), "200");
    expect(dialog.getByText(/^You owe KSh 300: .* A deposit pays it first/)).toBeInTheDocument();
    expect(dialog.queryByText(/comes to your wallet/)).not.toBeInTheDocument();
  });

  const SUSPENDED = { ...USER, suspended: true };
  test("who is suspended is told so, and can deposit", async () => {
    server.use(http.get(url("/api/user"), () => json(SUSPENDED)));
    openAt("/payment");
    const dialog = await openDialog();
    expect(await dialog.findByText("Your account is suspended. You can withdraw, but not enter.")).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Deposit" })).toBeEnabled();
    expect(dialog.getByText("Paybill")).toBeInTheDocument();
  });

  test("who is suspended and has to show their age is told what of it keeps them from depositing, and may type a code", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...SUSPENDED, ageProofWanted: true })));
    openAt("/payment");
    const dialog = await openDialog();
    expect(await dialog.findByText(/^We have asked you to show that you are 18 or older\. .* not enter or deposit\./)).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Deposit" })).toBeDisabled();
    expect(dialog.queryByText("Paybill")).not.toBeInTheDocument();
    expect(dialog.getByRole("button", { name: /Type the M-Pesa code$/ })).toBeEnabled();
  });

  test("excise is said before it is paid, and with what came of it", async () => {
    const prompt = { checkoutId: "c2", amount: 200, tax: { percent: 5, amount: 10 }, at: GAMEWEEK.now, entered: false, state: "SUCCESS" };
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })),
      http.post(url("/api/deposits"), () => json({ success: false })),
      http.get(url("/api/me/payments"), () => json([prompt])),
    );
    const dialog = await deposit("0712345678", "519");
    expect(dialog.getByText("Of it KSh 25 is excise duty (5 %, rounded down): KSh 494 comes to your wallet.")).toBeInTheDocument();
    expect(dialog.getByText("Of what you pay in, 5 % is excise duty.")).toBeInTheDocument();
    await user().click(dialog.getByRole("button", { name: "Close" }));
    const came = "Deposit successful: KSh 190 is in your wallet. Of KSh 200 that you paid, KSh 10 was excise duty (5 %).";
    expect(await screen.findByText(came)).toBeInTheDocument();
  });

  test("FAILED: 'Payment failed', no more is asked, and it can be tried again (spec section 8)", async () => {
    const asked = statuses("/api/deposits/status", "FAILED");
    server.use(http.post(url("/api/deposits"), started));
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByRole("alert")).toHaveTextContent("Payment failed. Please try again.");
    expect(dialog.getByRole("button", { name: "Deposit" })).toBeEnabled();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  /** What the calls say of a prompt of KSh 200 once it was sent. */
  function promptEnds(state: string) {
    statuses("/api/deposits/status", state);
    const sent = vi.fn(started);
    const prompt = { checkoutId: "c1", amount: 200, at: GAMEWEEK.now, entered: false, state };
    server.use(
      http.post(url("/api/deposits"), sent),
      http.get(url("/api/me/payments"), () => json(sent.mock.calls.length > 0 ? [prompt] : [])),
    );
    return sent;
  }

  test("after a failure the same is sent again at once: 'Please try again.'", async () => {
    const sent = promptEnds("FAILED");
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByText("Payment failed. Please try again.");
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: "2026-08-20T09:00:30Z" })));
    await user().click(dialog.getByRole("button", { name: "Deposit" }));
    expect(await dialog.findByText(/Prompt sent/)).toBeInTheDocument();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test("the same amount again within two minutes of a payment: nothing is sent, and the paybill stands there once", async () => {
    const sent = promptEnds("SUCCESS");
    const dialog = await deposit();
    await dialog.findByText(/Prompt sent/);
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByText("Deposit successful");
    await user().click(dialog.getByRole("button", { name: "Close" }));
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: "2026-08-20T09:00:30Z" })));
    const again = await openDialog();
    await user().click(again.getByRole("button", { name: "Deposit" }));
    expect(await again.findByText(/^M-Pesa takes KSh 200 .* You can try again in /)).toBeInTheDocument();
    expect(again.getByText("No second prompt was sent.")).toBeInTheDocument();
    expect(again.getAllByText("5720014")).toHaveLength(1);
    expect(sent).toHaveBeenCalledTimes(1);
  });

  test.each([
    [() => json({ success: false, message: "M-Pesa is not answering." }, { status: 503 }), "M-Pesa is not answering."],
    [() => json({}, { status: 500 }), "Failed to start deposit"],
    [() => json({ success: false }), "Failed to start deposit"],
    [noAnswer, "Server error"],
  ])("a deposit that does not start: the text, and the form stays (spec section 8) (%#)", async (answer, text) => {
    server.use(http.post(url("/api/deposits"), answer));
    const dialog = await deposit();
    expect(await dialog.findByRole("alert")).toHaveTextContent(text);
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveValue("200");
  });

  test("a number as it stands in the contacts begins with 0", async () => {
    const dialog = await deposit("+254 712 345 678", "0");
    expect(dialog.getByLabelText("Phone number")).toHaveValue("0712345678");
  });

  test("a number is ten digits at most (spec section 5)", async () => {
    const dialog = await deposit("0712 345 678 99", "0");
    expect(dialog.getByLabelText("Phone number")).toHaveValue("0712345678");
  });

  test("fields are checked first (spec section 5)", async () => {
    const dialog = await deposit("07abc12", "0");
    expect(dialog.getByLabelText("Phone number")).toHaveValue("0712");
    expect(dialog.getByLabelText("Phone number")).toHaveAccessibleDescription(
      "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).",
    );
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveAccessibleDescription(
      "Enter a valid deposit amount greater than 0.",
    );
  });
});
