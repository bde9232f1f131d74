import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { fastTimers, payFor, started, statuses, user } from "../../testing/prompts";
import { json, noAnswer, server, SETTINGS, told, url, USER } from "../../testing/server";

beforeEach(() => {
  fastTimers();
  logInAs("player");
});

describe("payment by prompt (spec section 4)", () => {
  test("SUCCESS: joins with the payment, reads the wallet anew, stores the join, on to /leagues", async () => {
    const bodies: unknown[] = [];
    const asked = statuses("/api/pay/status", "PENDING", "SUCCESS");
    server.use(
      http.post(url("/api/pay"), async ({ request }) => {
        bodies.push(await request.json());
        return started();
      }),
      http.post(url("/api/join-league"), async ({ request }) => {
        bodies.push(await request.json());
        return json({}, { status: 201 });
      }),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 450 })),
    );
    await payFor(50);
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
    expect(screen.getByText("Processing your payment, please wait...")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: /Processing KSh 50\.\.\./ })).toBeDisabled();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await screen.findByTestId("/leagues")).textContent).toBe("?amount=50");
    expect(screen.getByText("You are in: KSh 50 is paid.")).toBeInTheDocument();
    expect(asked).toHaveBeenCalledWith("c1");
    expect(bodies).toEqual([
      { phone: "0712345678", amount: 50, fplId: "4242", entryAmount: 50, gameweek: 3 },
      { fplId: "4242", entryAmount: 50, gameweek: 3, checkoutId: "c1" },
    ]);
    const stored = { wallet: "450", entryAmount: "50", joinedLeague: "true", gameweek: "3" };
    for (const [key, value] of Object.entries(stored)) expect(localStorage.getItem(key)).toBe(value);
  });

  test("the team that is sent is the account's, which may have another one since the page was opened", async () => {
    const bodies: unknown[] = [];
    statuses("/api/pay/status", "SUCCESS");
    server.use(
      http.post(url("/api/pay"), async ({ request }) => {
        bodies.push(await request.json());
        return started();
      }),
      http.post(url("/api/join-league"), async ({ request }) => {
        bodies.push(await request.json());
        return json({}, { status: 201 });
      }),
    );
    openAt("/payment");
    await user().click(await screen.findByRole("button", { name: "KSh 50" }));
    await user().type(screen.getByLabelText("Phone number"), "0712345678");
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "777" })));
    await user().click(screen.getByRole("button", { name: "Pay Now" }));
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
    expect(bodies).toEqual([expect.objectContaining({ fplId: "777" }), expect.objectContaining({ fplId: "777" })]);
  });

  test("where no prompt is sent the paybill and the wallet are the ways that are left", async () => {
    const message = "Too many payment requests to this number today. Try again in 20 hours.";
    const paybill = { number: "174379", account: "5720014" };
    server.use(http.post(url("/api/pay"), () => json({ success: false, message, paybill }, { status: 429 })));
    const dialog = await payFor(50);
    expect(await dialog.findByText(message)).toBeInTheDocument();
    expect(dialog.getByText("Account").nextSibling).toHaveTextContent("5720014");
    await user().click(dialog.getByRole("button", { name: "Use your wallet" }));
    expect(await screen.findByRole("dialog", { name: /Select/ })).toBeInTheDocument();
  });

  test("while the prompt is asked for the button says 'Processing KSh {n}...' and is disabled", async () => {
    statuses("/api/pay/status", "PENDING");
    const sent = gate<Response>();
    server.use(http.post(url("/api/pay"), sent.wait));
    const dialog = await payFor(100);
    await sent.asked;
    expect(dialog.getByRole("button", { name: /Processing KSh 100\.\.\./ })).toBeDisabled();
    expect(screen.queryByText("Check your phone to complete the payment")).not.toBeInTheDocument();
    sent.open(started());
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
  });

  test("the overlay stands from the press until the payment is decided (spec section 2)", async () => {
    const overlay = () => screen.queryByRole("dialog", { name: "Processing your payment, please wait..." });
    statuses("/api/pay/status", "FAILED");
    const sent = gate<Response>();
    server.use(http.post(url("/api/pay"), sent.wait));
    const dialog = await payFor(50);
    await sent.asked;
    expect(overlay()).toBeInTheDocument();
    sent.open(started());
    await screen.findByText("Check your phone to complete the payment");
    expect(overlay()).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByRole("alert");
    expect(overlay()).not.toBeInTheDocument();
  });

  test("FAILED: stops and says so, in the dialog", async () => {
    const asked = statuses("/api/pay/status", "FAILED");
    server.use(http.post(url("/api/pay"), started));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByRole("alert")).toHaveTextContent("Payment failed. Please try again.");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("twelve times pending: stops, taking too long (spec section 8)", async () => {
    const asked = statuses("/api/pay/status", "PENDING");
    server.use(http.post(url("/api/pay"), started));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    for (let polled = 1; polled <= 12; polled += 1) {
      await vi.advanceTimersByTimeAsync(5_000);
      await expect.poll(() => asked.mock.calls.length).toBe(polled);
    }
    expect(await dialog.findByRole("alert")).toHaveTextContent(
      "Payment confirmation taking too long. Please check later.",
    );
    await vi.advanceTimersByTimeAsync(15_000);
    expect(asked).toHaveBeenCalledTimes(12);
  });

  const STILL = "This request is still being processed. Try again in a moment.";
  const SENT_PERHAPS = /^If a prompt comes all the same/;
  test.each([
    [() => told(400, "You already joined this gameweek."), "You already joined this gameweek.", "You were not charged."],
    [() => json({}, { status: 500 }), "Payment initiation failed", SENT_PERHAPS],
    [() => json({ message: STILL, code: "still_processing" }, { status: 409, headers: { "retry-after": "2" } }), STILL, SENT_PERHAPS],
    [() => json({ success: false }), "Payment initiation failed", "You were not charged."],
    [noAnswer, "Error initiating payment", SENT_PERHAPS],
  ])("a prompt that is not sent: the text and what became of the money (spec section 8) (%#)", async (answer, text, money) => {
    server.use(http.post(url("/api/pay"), answer));
    const dialog = await payFor(100);
    expect(await dialog.findByRole("alert")).toHaveTextContent(text);
    expect(dialog.getByText(money)).toBeInTheDocument();
    expect(dialog.getByLabelText("Phone number")).toHaveValue("0712345678");
  });

  const coded = (status: number, code: string) => () => json({ success: false, message: "M-Pesa's words.", code }, { status });
  test.each([
    ["an earlier one is open, which may be paid", coded(409, "payment_still_open"), null],
    ["another one is open on the phone", coded(409, "phone_busy"), null],
    ["its words say that nothing was taken", coded(503, "mpesa_busy"), null],
    ["this one may be on the phone all the same", coded(503, "mpesa_not_answering"), "Trying again sends another prompt: pay only one of them."],
  ])("no prompt where %s: nothing else is said of the money than what holds", async (_why, answer, money) => {
    server.use(http.post(url("/api/pay"), answer));
    const dialog = await payFor(50);
    expect(await dialog.findByRole("alert")).toHaveTextContent("M-Pesa's words.");
    expect(dialog.queryByText(/^You were not charged|Trying again within/)).not.toBeInTheDocument();
    if (money) expect(dialog.getByText(money)).toBeInTheDocument();
  });

  test.each([
    ["lost", noAnswer],
    ["an error", () => json({}, { status: 500 })],
  ])("paid and entered by the payment itself: a join whose answer is %s is none that failed", async (_what, answer) => {
    server.use(
      http.get(url("/api/pay/status"), () => json({ status: "SUCCESS", entered: true })),
      http.post(url("/api/pay"), started),
      http.post(url("/api/join-league"), answer),
    );
    await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await screen.findByTestId("/leagues")).textContent).toBe("?amount=50");
    expect(localStorage.getItem("joinedLeague")).toBe("true");
  });

  const OWES = "You owe KSh 250: it was taken back after you had used it. Deposit it first; a deposit pays what you owe.";
  test.each([
    [400, "The deadline of this gameweek has passed. Your money is in your wallet."],
    [409, "You already joined this gameweek. Your money is in your wallet."],
    [409, `${OWES} This payment has gone towards what you owed.`],
    [409, "We have looked into this payment: KSh 500 is credited to you."],
    [409, "This payment was credited to your wallet by its M-Pesa code."],
  ])("paid but not joined: the server's words, and where the money is (spec section 8) (%#)", async (status, words) => {
    statuses("/api/pay/status", "SUCCESS");
    server.use(http.post(url("/api/pay"), started), http.post(url("/api/join-league"), () => told(status, words)));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByRole("alert")).toHaveTextContent(words);
    expect(dialog.queryByText(/^Your KSh|^Your payment is safe/)).not.toBeInTheDocument();
  });

  test.each([
    [() => json({}, { status: 400 }), "Payment succeeded but failed to join league"],
    [() => json({}, { status: 500 }), "Payment succeeded but failed to join league"],
    [noAnswer, "Payment succeeded but failed to join league"],
    [() => told(403, "You are not allowed to do this."), "You are not allowed to do this."],
    [() => told(429, "Too Many Requests"), "Too Many Requests"],
  ])("paid but not joined, and no word why: 'Payment succeeded but failed to join league' (spec section 8) (%#)", async (answer, text) => {
    statuses("/api/pay/status", "SUCCESS");
    server.use(http.post(url("/api/pay"), started), http.post(url("/api/join-league"), answer));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByRole("alert")).toHaveTextContent(text);
    expect(dialog.getByText(/^Your payment is safe/)).toBeInTheDocument();
  });

  test.each([
    ["is null", () => json({ currentGameweek: null })],
    ["cannot be read", noAnswer],
  ])("a gameweek that %s: nothing is sent, and said so (spec sections 5 and 8)", async (_what, answer) => {
    server.use(http.get(url("/current-gameweek"), answer));
    const dialog = await payFor(50);
    const alert = await dialog.findByRole("alert");
    expect(alert).toHaveTextContent("Could not determine current gameweek. Try again.");
    expect(dialog.getByText("You were not charged.")).toBeInTheDocument();
  });

  test("a status that is not answered counts as pending (spec section 3: anything else is pending)", async () => {
    let asked = 0;
    server.use(
      http.post(url("/api/pay"), started),
      http.get(url("/api/pay/status"), () => {
        asked += 1;
        if (asked === 1) return Response.error();
        return asked === 2 ? json({ success: false, status: "ODD" }) : json({ success: true, status: "FAILED" });
      }),
    );
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    for (let i = 1; i <= 3; i += 1) {
      await vi.advanceTimersByTimeAsync(5_000);
      await expect.poll(() => asked).toBe(i);
    }
    expect(await dialog.findByRole("alert")).toHaveTextContent("Payment failed. Please try again.");
  });

  test("hidden, the page asks nothing; seen again, it asks at once", async () => {
    const asked = statuses("/api/pay/status", "FAILED");
    server.use(http.post(url("/api/pay"), started));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    const hide = (hidden: boolean) => {
      vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
      document.dispatchEvent(new Event("visibilitychange"));
    };
    hide(true);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).not.toHaveBeenCalled();
    hide(false);
    expect(await dialog.findByRole("alert")).toHaveTextContent("Payment failed. Please try again.");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("a second submit is not sent while one runs, and the phone number is remembered", async () => {
    statuses("/api/pay/status", "FAILED");
    let sent = 0;
    server.use(
      http.post(url("/api/pay"), () => {
        sent += 1;
        return started();
      }),
    );
    const dialog = await payFor(50);
    await user().type(dialog.getByLabelText("Phone number"), "{enter}{enter}");
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByRole("alert");
    expect(sent).toBe(1);
    await user().click(dialog.getByRole("button", { name: "Close" }));
    await user().click(await screen.findByRole("button", { name: "KSh 100" }));
    const next = within(await screen.findByRole("dialog", { name: "Pay KSh 100" }));
    expect(next.getByLabelText("Phone number")).toHaveValue("0712345678");
  });

  test("before it is paid: the prize, and how many have joined", async () => {
    openAt("/payment");
    await user().click(await screen.findByRole("button", { name: "KSh 50" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Pay KSh 50" }));
    expect(await dialog.findByText("KSh 450 if the league fills; it pays 90 % of what it collects.")).toBeInTheDocument();
    expect(dialog.getByText(/^7 in: one league of 7, which pays KSh 315\./)).toBeInTheDocument();
  });

  test("with excise: what M-Pesa takes, and of what it is made up", async () => {
    const bodies: unknown[] = [];
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })),
      http.post(url("/api/pay"), async ({ request }) => {
        bodies.push(await request.json());
        return started();
      }),
    );
    statuses("/api/pay/status", "PENDING");
    openAt("/payment");
    await user().click(await screen.findByRole("button", { name: "KSh 50" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Pay KSh 52" }));
    expect(dialog.getByText("KSh 52: KSh 50 stake and KSh 2 excise duty (5 %, rounded down).")).toBeInTheDocument();
    await user().type(dialog.getByLabelText("Phone number"), "0712345678");
    await user().click(dialog.getByRole("button", { name: "Pay Now" }));
    expect(await screen.findByText(/^KSh 52 from 0712345678: enter your PIN there\./)).toBeInTheDocument();
    expect(bodies).toEqual([{ phone: "0712345678", amount: 52, fplId: "4242", entryAmount: 50, gameweek: 3 }]);
  });

  test.each([
    ["The deadline of this gameweek has passed. Your money is in your wallet.", /^Of KSh 52 that you paid, KSh 2 was excise duty \(5 %\)\.$/],
    ["Too Many Requests", /^Your payment is safe: .* Of KSh 52 that you paid, KSh 2 was excise duty \(5 %\)\.$/],
    ["We have looked into this payment: KSh 38 is credited to you.", null],
  ])("with excise, paid but not joined: how much of it was excise (%#)", async (words, excise) => {
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })),
      http.post(url("/api/pay"), started),
      http.post(url("/api/join-league"), () => told(409, words)),
    );
    statuses("/api/pay/status", "SUCCESS");
    const dialog = await payFor(50, "0712345678", 52);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByRole("alert")).toHaveTextContent(words);
    if (excise) expect(dialog.getByText(excise)).toBeInTheDocument();
    else expect(dialog.queryByText(/was excise duty/)).not.toBeInTheDocument();
  });

  test("a digit too many is told and not cut off: the number would be somebody else's (spec section 5)", async () => {
    const dialog = await payFor(50, "07123456789");
    expect(dialog.getByLabelText("Phone number")).toHaveValue("07123456789");
    expect(dialog.getByText(/^Please enter a valid 10-digit Safaricom number/)).toBeInTheDocument();
  });

  test("a number as it stands in the contacts begins with 0", async () => {
    const bodies: unknown[] = [];
    statuses("/api/pay/status", "PENDING");
    server.use(
      http.post(url("/api/pay"), async ({ request }) => {
        bodies.push(await request.json());
        return started();
      }),
    );
    await payFor(50, "+254 712 345 678");
    await expect.poll(() => bodies).toEqual([expect.objectContaining({ phone: "0712345678" })]);
  });

  test("while it waits: how much, from which phone, and that nobody has to stay", async () => {
    statuses("/api/pay/status", "PENDING");
    server.use(http.post(url("/api/pay"), () => started()));
    await payFor(50);
    expect(await screen.findByText(/^KSh 50 from 0712345678: enter your PIN there\. You may close the app/)).toBeInTheDocument();
  });

  test("a number that is not Safaricom's is told before anything is sent (spec section 5)", async () => {
    const dialog = await payFor(50, "0212345678");
    expect(dialog.getByRole("alert")).toHaveTextContent(
      "Please enter a valid 10-digit Safaricom number (07XXXXXXXX or 01XXXXXXXX).",
    );
  });
});
