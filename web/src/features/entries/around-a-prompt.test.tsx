import { cleanup, screen, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { fastTimers, payFor, started, statuses, user } from "../../testing/prompts";
import { GAMEWEEK, json, noAnswer, server, SETTINGS, url, USER } from "../../testing/server";

beforeEach(() => {
  fastTimers();
  logInAs("player");
});

const LATE = { ...GAMEWEEK, now: "2026-08-22T10:28:31Z" };
const COUNTS = /^A prompt sent before the deadline still counts if M-Pesa tells us within ten minutes after it that you have paid\./;

describe("around a prompt", () => {
  test("its start was not answered: asked for again on another page it is the same one", async () => {
    statuses("/api/pay/status", "PENDING");
    const keys: (string | null)[] = [];
    server.use(
      http.post(url("/api/pay"), ({ request }) => {
        keys.push(request.headers.get("idempotency-key"));
        return keys.length === 1 ? noAnswer() : started();
      }),
    );
    const dialog = await payFor(50);
    expect(await dialog.findByText(/ it counts\. Trying again within five minutes sends no second one\.$/)).toBeInTheDocument();
    cleanup();
    await payFor(50);
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("taking too long: what comes of it later is shown on the page", async () => {
    statuses("/api/pay/status", "PENDING");
    let decided = false;
    const prompt = { checkoutId: "c1", amount: 50, entryAmount: 50, at: GAMEWEEK.now, entered: true };
    server.use(
      http.post(url("/api/pay"), started),
      http.get(url("/api/me/payments"), () => json(decided ? [{ ...prompt, state: "SUCCESS" }] : [])),
    );
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    decided = true;
    await vi.advanceTimersByTimeAsync(65_000);
    await dialog.findByText("Payment confirmation taking too long. Please check later.");
    expect(await screen.findByText("Your payment of KSh 50 arrived and paid for your entry.")).toBeInTheDocument();
  });

  test("paid, and the join call stumbles though the entry is made: line, notice and leagues all say so", async () => {
    statuses("/api/pay/status", "SUCCESS");
    const prompt = { checkoutId: "c1", amount: 100, entryAmount: 100, at: GAMEWEEK.now, state: "SUCCESS", entered: true };
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 100, prize: 0, refund: 0, at: GAMEWEEK.now };
    let isIn = false;
    server.use(
      http.post(url("/api/pay"), started),
      http.post(url("/api/join-league"), () => {
        isIn = true;
        return json({}, { status: 500 });
      }),
      http.get(url("/api/me/payments"), () => json(isIn ? [prompt] : [])),
      http.get(url("/api/me/entries"), () => json({ entries: isIn ? [entry] : [], profitAndLoss: 0 })),
    );
    const dialog = await payFor(100);
    await screen.findByText("Check your phone to complete the payment");
    expect(screen.getByText("You have not joined yet.")).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await dialog.findByText(/^Your payment is safe/)).toBeInTheDocument();
    expect(await screen.findByText("You are in: KSh 100.")).toBeInTheDocument();
    expect(await screen.findByText("Your payment of KSh 100 arrived and paid for your entry.")).toBeInTheDocument();
    expect(screen.queryByText("You have not joined yet.")).not.toBeInTheDocument();
    await user().click(dialog.getByRole("button", { name: "Close" }));
    await user().click(screen.getByRole("button", { name: "View Leagues" }));
    expect((await screen.findByTestId("/leagues")).textContent).toBe("?amount=100");
  });

  /** What the calls say of a prompt of KSh 50 once it was sent. */
  function promptEnds(state: "FAILED" | "PENDING", reason?: string) {
    statuses("/api/pay/status", state);
    const sent = vi.fn(started);
    const prompt = { checkoutId: "c1", amount: 50, entryAmount: 50, entryGameweek: 3, at: GAMEWEEK.now, entered: false, state, reason };
    server.use(
      http.post(url("/api/pay"), sent),
      http.get(url("/api/me/payments"), () => json(sent.mock.calls.length > 0 ? [prompt] : [])),
    );
    return sent;
  }

  test("after a failure the same is sent again at once: 'Please try again.'", async () => {
    const sent = promptEnds("FAILED", "You cancelled the request on your phone.");
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    await dialog.findByText("Payment failed. Please try again.");
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: "2026-08-20T09:00:30Z" })));
    await user().click(dialog.getByRole("button", { name: "Pay Now" }));
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  const REPEATED = "M-Pesa refuses the same amount twice within two minutes. Wait a little and try again.";
  test.each([
    ["refused by M-Pesa for just that", "FAILED", REPEATED, 5_000, /^Payment failed\./],
    ["not decided yet", "PENDING", undefined, 65_000, /^Payment confirmation taking too long\./],
  ] as const)("the same amount again within two minutes, the first one %s: when it can be tried, and nothing is sent", async (_how, state, reason, after, told) => {
    const sent = promptEnds(state, reason);
    let now = GAMEWEEK.now;
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now })));
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(after);
    await dialog.findByText(told);

    now = "2026-08-20T09:00:30Z";
    await user().click(dialog.getByRole("button", { name: "Pay Now" }));
    expect(await dialog.findByText(/^M-Pesa takes KSh 50 .* You can try again in 1:\d\d\.$/)).toBeInTheDocument();
    expect(dialog.getByText("No second prompt was sent.")).toBeInTheDocument();
    // The other ways, as where the server refuses.
    expect(dialog.getByText("Paybill").nextSibling).toHaveTextContent("174379");
    expect(dialog.getByText("Account").nextSibling).toHaveTextContent("5720014");
    expect(dialog.getByRole("button", { name: "Use your wallet" })).toBeInTheDocument();
    expect(sent).toHaveBeenCalledTimes(1);

    now = "2026-08-20T09:02:05Z";
    await user().click(dialog.getByRole("button", { name: "Pay Now" }));
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test("under 90 s before the deadline the wallet is named above the amounts, which stay", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json(LATE)));
    openAt("/payment");
    expect(await screen.findByText(COUNTS)).toHaveTextContent("An entry from your wallet is made at once.");
    for (const amount of [50, 100, 250]) expect(screen.getByRole("button", { name: `KSh ${amount}` })).toBeEnabled();
    await user().click(screen.getByRole("button", { name: "Use your wallet" }));
    expect(await screen.findByRole("dialog", { name: "Select Entry Amount" })).toBeInTheDocument();
  });

  test("under 90 s before the deadline who has nothing in the wallet pays by prompt, and is not led there", async () => {
    statuses("/api/pay/status", "PENDING");
    server.use(
      http.get(url("/api/gameweek/status"), () => json(LATE)),
      http.get(url("/api/user"), () => json({ ...USER, wallet: 0 })),
      http.post(url("/api/pay"), started),
    );
    await payFor(50);
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Use your wallet" })).not.toBeInTheDocument();
  });

  test("under 90 s before the deadline who is in is not sent to pay again", async () => {
    const entry = { gameweek: "2026-03", season: 2026, number: 3, amount: 50, prize: 0, refund: 0, at: GAMEWEEK.now };
    server.use(
      http.get(url("/api/gameweek/status"), () => json(LATE)),
      http.get(url("/api/me/entries"), () => json({ entries: [entry], profitAndLoss: 0 })),
    );
    openAt("/payment");
    expect(await screen.findByText("You already joined this gameweek. Your entry: KSh 50.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Use your wallet" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "KSh 50" })).toBeDisabled();
  });

  test.each([
    [0, true],
    [120, false],
  ])("who waits for a person is not asked to pay again, and may play with the KSh %d in the wallet", async (wallet, closed) => {
    const aside = { checkoutId: "c1", amount: 50, entryAmount: 50, entryGameweek: 3, state: "PENDING", entered: false, at: GAMEWEEK.now };
    server.use(
      http.get(url("/api/me/payments"), () => json([{ ...aside, reason: "M-Pesa has said nothing for a day." }])),
      http.get(url("/api/user"), () => json({ ...USER, wallet })),
    );
    openAt("/payment");
    const words = "Your payment of KSh 50 is being looked at by a person. Do not pay again.";
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(1);
    for (const amount of [50, 100, 250]) expect(screen.getByRole("button", { name: `KSh ${amount}` })).toBeDisabled();
    openAt("/checkout-wallet");
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    await vi.waitFor(() => expect(dialog.getByRole("button", { name: "Join for 50" }).hasAttribute("disabled")).toBe(closed));
  });

  test("one that is set aside while it is waited for ends the waiting: it is told once, with why, and nothing can be paid", async () => {
    const reason = "M-Pesa reports another amount than was asked for.";
    const asked = vi.fn(() => json({ success: true, status: "PENDING", entered: false, message: reason }));
    const aside = { checkoutId: "c1", amount: 50, entryAmount: 50, entryGameweek: 3, state: "PENDING", entered: false, at: GAMEWEEK.now, reason };
    server.use(
      http.post(url("/api/pay"), started),
      http.get(url("/api/pay/status"), asked),
      http.get(url("/api/me/payments"), () => json(asked.mock.calls.length > 0 ? [aside] : [])),
    );
    const dialog = await payFor(50);
    await screen.findByText("Check your phone to complete the payment");
    await vi.advanceTimersByTimeAsync(5_000);
    const words = "Your payment of KSh 50 is being looked at by a person. Do not pay again.";
    expect(await dialog.findByText(`${words} ${reason}`)).toBeInTheDocument();
    await vi.waitFor(() => expect(dialog.queryByRole("button", { name: "Pay Now" })).not.toBeInTheDocument());
    expect(dialog.getAllByText(/is being looked at/)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("a payment of a gameweek before that is looked at keeps nobody out of this one", async () => {
    const aside = { checkoutId: "c1", amount: 50, entryAmount: 50, entryGameweek: 2, state: "PENDING", entered: false, at: "2026-08-15T09:00:00Z" };
    server.use(http.get(url("/api/me/payments"), () => json([{ ...aside, reason: "M-Pesa has said nothing for a day." }])));
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "KSh 50" })).toBeEnabled();
  });

  test("it is named while the page is looked at, in the open dialog too, and the prompt can be sent as before", async () => {
    statuses("/api/pay/status", "PENDING");
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: "2026-08-22T10:28:20Z" })),
      http.post(url("/api/pay"), started),
    );
    openAt("/payment");
    await user().click(await screen.findByRole("button", { name: "KSh 50" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Pay KSh 50" }));
    await user().type(dialog.getByLabelText("Phone number"), "0712345678");
    expect(dialog.queryByText(COUNTS)).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 11_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await dialog.findByText(COUNTS)).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Use your wallet" })).toBeInTheDocument();
    await user().click(dialog.getByRole("button", { name: "Pay Now" }));
    expect(await screen.findByText("Check your phone to complete the payment")).toBeInTheDocument();
  });

  test("in the open dialog too nobody can pay once the deadline has passed", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: "2026-08-22T10:28:20Z" })));
    openAt("/payment");
    await user().click(await screen.findByRole("button", { name: "KSh 50" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Pay KSh 50" }));
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, now: "2026-08-22T10:30:01Z" })));
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 101_000);
    await vi.advanceTimersByTimeAsync(101_000);
    expect(await dialog.findByText("The deadline has passed.")).toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Pay Now" })).not.toBeInTheDocument();
  });

  const refusedWith = (status: number, code: string) => () => json({ success: false, message: "M-Pesa's words.", code }, { status });
  test.each([
    ["M-Pesa is busy", refusedWith(503, "mpesa_busy")],
    ["M-Pesa is not answering", refusedWith(503, "mpesa_not_answering")],
    ["M-Pesa refuses", refusedWith(400, "mpesa_refused")],
    ["another request is open on the phone", refusedWith(409, "phone_busy")],
    ["too many ask at once", () => json({ message: "Too Many Requests" }, { status: 429 })],
    ["the server stumbles", () => json({}, { status: 500 })],
    ["it says no more than that", () => json({ success: false })],
    ["no answer comes", noAnswer],
  ])("no prompt is sent because %s: the wallet and the player's own account stand there", async (_why, answer) => {
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 1 })),
      http.post(url("/api/pay"), answer),
    );
    const dialog = await payFor(50);
    await dialog.findByRole("alert");
    expect(dialog.getByText("Or pay by hand in M-Pesa; it is credited by itself:")).toBeInTheDocument();
    expect(dialog.getByText("Paybill").nextSibling).toHaveTextContent("174379");
    expect(dialog.getByText("Account").nextSibling).toHaveTextContent("5720014");
    expect(dialog.getByText("Of what you pay in, 1 % is excise duty.")).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Pay Now" })).toBeEnabled();
    await user().click(dialog.getByRole("button", { name: "Use your wallet" }));
    expect(await screen.findByRole("dialog", { name: "Select Entry Amount" })).toBeInTheDocument();
  });

  test.each([
    ["the player is in already", refusedWith(409, "already_joined")],
    ["the number is none", refusedWith(400, "invalid_phone")],
    ["an earlier prompt is still open, which may be paid", refusedWith(409, "payment_still_open")],
    ["this very one is still being asked for", refusedWith(409, "still_processing")],
  ])("no prompt is sent because %s: no other way to pay is named", async (_why, answer) => {
    server.use(http.post(url("/api/pay"), answer));
    const dialog = await payFor(50);
    await dialog.findByRole("alert");
    expect(dialog.queryByText("Paybill")).not.toBeInTheDocument();
    expect(dialog.queryByRole("button", { name: "Use your wallet" })).not.toBeInTheDocument();
  });

  test("under 90 s before the deadline the wallet stands once beside a prompt that could not be sent", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json(LATE)), http.post(url("/api/pay"), refusedWith(503, "mpesa_busy")));
    const dialog = await payFor(50);
    await dialog.findByRole("alert");
    expect(dialog.getAllByRole("button", { name: "Use your wallet" })).toHaveLength(1);
  });
});
