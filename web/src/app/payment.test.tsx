import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import { forgetSession } from "../lib/session";
import { openFromProfile } from "../testing/account";
import { logInAs, openAt } from "../testing/app";
import { GAMEWEEK, json, noAnswer, server, url, told, USER } from "../testing/server";

beforeEach(() => logInAs("player"));

const ENTRY = {
  gameweek: "2026-03",
  season: 2026,
  number: 3,
  amount: 100,
  at: "2026-08-20T08:00:00Z",
  prize: 0,
  refund: 0,
} satisfies Schemas["EntryView"];

describe("the main page (spec section 2)", () => {
  test("greets, shows the balance, the rules and what can be paid", async () => {
    openAt("/payment");
    expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Ready for the Gameweek?" })).toBeInTheDocument();
    expect(await screen.findByText("KSh 500")).toBeInTheDocument();
    for (const amount of [50, 100, 250]) {
      expect(screen.getByRole("button", { name: `KSh ${amount}` })).toBeEnabled();
    }
    expect(await screen.findByText("KSh 2,250")).toBeInTheDocument();
    expect(screen.getByText(/^7 in: one league of 7, which pays KSh 315\./)).toBeInTheDocument();
    expect(screen.getByText("Sat 22 Aug, 13:30")).toBeInTheDocument();
    expect(localStorage.getItem("wallet")).toBe("500");
    await userEvent.click(screen.getByRole("button", { name: "View Leagues" }));
    expect(await screen.findByTestId("/leagues")).toBeInTheDocument();
  });

  test("closed: entries are disabled and the deadline has passed (spec section 4)", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })));
    openAt("/payment");
    expect((await screen.findAllByText("The deadline has passed.")).length).toBeGreaterThan(0);
    for (const name of ["KSh 50", "KSh 100", "KSh 250", "Checkout from Wallet"]) {
      expect(screen.getByRole("button", { name })).toBeDisabled();
    }
  });

  test("closed: the wallet's dialog takes no entry either (spec section 4)", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })));
    openAt("/checkout-wallet");
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    expect(await dialog.findByText("The deadline has passed.")).toBeInTheDocument();
    for (const button of dialog.getAllByRole("button", { name: /^Join for/ })) expect(button).toBeDisabled();
    expect((await dialog.findAllByRole("listitem")).map((item) => item.textContent)).toEqual([
      "Join for 507 in: one league of 7, which pays KSh 315.",
      "Join for 1000 joined.",
      "Join for 2501 in: one player alone gets the money back.",
    ]);
  });

  test("entries that are paused: the server's words, and nothing can be pressed", async () => {
    const notice = "Entries are paused for a moment. Your money is safe.";
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, notice })));
    openAt("/payment");
    expect(await screen.findByText(notice)).toBeInTheDocument();
    for (const name of ["KSh 50", "Checkout from Wallet"]) expect(screen.getByRole("button", { name })).toBeDisabled();
    expect(screen.getByText("left to join")).toBeInTheDocument();
  });

  test.each([
    ["who is in reads so, and is led to that amount's leagues", [ENTRY], "You are in: KSh 100.", "?amount=100"],
    ["who is not in reads that", [], "You have not joined yet.", ""],
    ["an entry of a season before is none", [{ ...ENTRY, gameweek: "2025-03", season: 2025, at: "2025-08-30T09:00:00Z" }], "You have not joined yet.", ""],
  ])("%s", async (_what, entries, text, query) => {
    server.use(http.get(url("/api/me/entries"), () => json({ entries, profitAndLoss: 0 })));
    openAt("/payment");
    expect(await screen.findByText(text)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "View Leagues" }));
    expect((await screen.findByTestId("/leagues")).textContent).toBe(query);
  });

  test("who is in is not sent to pay again: the checkout shows the entry", async () => {
    server.use(http.get(url("/api/me/entries"), () => json({ entries: [ENTRY], profitAndLoss: 0 })));
    openAt("/payment");
    expect(await screen.findByText("You already joined this gameweek. Your entry: KSh 100.")).toBeInTheDocument();
    for (const name of ["KSh 50", "Checkout from Wallet"]) expect(screen.getByRole("button", { name })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Top up" })).toBeEnabled();
  });

  test("who is suspended is told so, and is offered a withdrawal and no entry", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, suspended: true })));
    openAt("/payment");
    expect(await screen.findByText("Your account is suspended. You can withdraw, but not enter.")).toBeInTheDocument();
    for (const name of ["KSh 50", "KSh 100", "KSh 250", "Checkout from Wallet"]) expect(screen.getByRole("button", { name })).toBeDisabled();
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    expect(dialog.getByRole("button", { name: "Withdraw" })).toBeEnabled();
    expect(dialog.queryByText(/suspended/)).not.toBeInTheDocument();
  });

  test("after the deadline: a refund with its reason, and when the next gameweek can be joined", async () => {
    const alone = { ...ENTRY, refund: 100, refundReason: "Nobody else joined." };
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed", nextOpensBy: "2026-08-27T10:30:00Z" })),
      http.get(url("/api/me/entries"), () => json({ entries: [alone], profitAndLoss: 0 })),
    );
    openAt("/payment");
    expect(await screen.findByText("Refunded KSh 100. Nobody else joined.")).toHaveClass("quiet");
    expect(screen.getByText("The next gameweek opens when this one is settled, or else on Thu 27 Aug, 13:30.")).toBeInTheDocument();
    expect(screen.queryByText(/You are in/)).not.toBeInTheDocument();
  });

  test("after the last deadline of a season no next gameweek is promised", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed", nextOpensBy: null })));
    openAt("/payment");
    expect(await screen.findAllByText("The deadline has passed.")).not.toHaveLength(0);
    expect(screen.queryByText(/The next gameweek/)).not.toBeInTheDocument();
  });

  test("prompts that cannot be read: without an entry nobody says that there is none, and they are read again", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let answers = false;
    server.use(http.get(url("/api/me/payments"), () => (answers ? json([]) : told(403, "Not now."))));
    openAt("/payment");
    expect(await screen.findByText("Whether you are in could not be read just now. It is tried again.")).toBeInTheDocument();
    answers = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
  });

  test("entries that cannot be read: said so, and read again", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let answers = false;
    server.use(http.get(url("/api/me/entries"), () => (answers ? json({ entries: [ENTRY], profitAndLoss: 0 }) : json({}, { status: 500 }))));
    openAt("/payment");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await screen.findByText("Whether you are in could not be read just now. It is tried again.")).toBeInTheDocument();
    answers = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await screen.findByText("You are in: KSh 100.")).toBeInTheDocument();
    vi.useRealTimers();
  });

  test("what the draw or the settlement has decided is in the wallet at once", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let won = false;
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "final" })),
      http.get(url("/api/me/entries"), () => json({ entries: [won ? { ...ENTRY, prize: 900, rank: 1, points: 70, league: "l1" } : ENTRY], profitAndLoss: 0 })),
      http.get(url("/api/users/:id/wallet"), () => json({ wallet: won ? 1_400 : 500 })),
    );
    openAt("/payment");
    expect(await screen.findByText("You are in: KSh 100.")).toBeInTheDocument();
    won = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await screen.findByText("KSh 1,400")).toBeInTheDocument();
    vi.useRealTimers();
  });

  test("what another phone has joined with is out of the wallet at once", async () => {
    let joined = false;
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, now: new Date(Date.parse(GAMEWEEK.deadline) - 1_500).toISOString() })),
      http.get(url("/api/me/entries"), () => json({ entries: joined ? [ENTRY] : [], profitAndLoss: 0 })),
      http.get(url("/api/users/:id/wallet"), () => json({ wallet: joined ? 400 : 500 })),
    );
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    joined = true;
    // At the deadline the entries are read again.
    expect(await screen.findByText("You are in: KSh 100.", undefined, { timeout: 4_000 })).toBeInTheDocument();
    expect(await screen.findByText("KSh 400")).toBeInTheDocument();
  });

  test("a prompt that M-Pesa has not decided: waiting for it, and in as soon as it has", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const prompt = { checkoutId: "c1", amount: 50, entryAmount: 50, state: "PENDING" as const, entered: false, at: GAMEWEEK.now };
    let paid = false;
    server.use(
      http.get(url("/api/me/payments"), () => json([paid ? { ...prompt, state: "SUCCESS", entered: true } : prompt])),
      http.get(url("/api/me/entries"), () => json({ entries: paid ? [{ ...ENTRY, amount: 50 }] : [], profitAndLoss: 0 })),
    );
    openAt("/payment");
    expect(await screen.findByText("Waiting for M-Pesa: KSh 50.")).toBeInTheDocument();
    expect(screen.getByText("Waiting for M-Pesa: KSh 50.")).toHaveClass("quiet");
    paid = true;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await screen.findByText("You are in: KSh 50.")).not.toHaveClass("quiet");
    vi.useRealTimers();
  });

  test("a prompt that has failed and is paid after all is told without a touch", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const prompt = { checkoutId: "c1", amount: 50, entryAmount: 50, state: "FAILED" as const, reason: "Request cancelled by user.", entered: false, at: GAMEWEEK.now };
    let paid = false;
    server.use(
      http.get(url("/api/me/payments"), () => json([paid ? { ...prompt, state: "SUCCESS", reason: undefined, entered: true } : prompt])),
      http.get(url("/api/me/entries"), () => json({ entries: paid ? [{ ...ENTRY, amount: 50 }] : [], profitAndLoss: 0 })),
    );
    openAt("/payment");
    expect(await screen.findByText("You have not joined yet.")).toBeInTheDocument();
    paid = true;
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await screen.findByText("You are in: KSh 50.")).toBeInTheDocument();
    vi.useRealTimers();
  });

  test("who waits for M-Pesa is led to the leagues of what is being paid for, whatever the excise", async () => {
    const prompt = { checkoutId: "c1", amount: 105, entryAmount: 100, state: "PENDING", entered: false, at: GAMEWEEK.now };
    server.use(http.get(url("/api/me/payments"), () => json([prompt])));
    openAt("/payment");
    expect(await screen.findByText("Waiting for M-Pesa: KSh 105.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "View Leagues" }));
    expect((await screen.findByTestId("/leagues")).textContent).toBe("?amount=100");
  });

  test("guests see what the draw would make of the entries, and the fee", async () => {
    forgetSession();
    openAt("/payment");
    expect(await screen.findByText("A league pays 90 % of what it collects; 10 % is the fee.")).toBeInTheDocument();
    expect(screen.getByText(/^1 in: one player alone gets the money back\./)).toBeInTheDocument();
  });

  test("after the deadline the fee is still told, to guests too", async () => {
    forgetSession();
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, now: "2026-08-22T10:31:00Z" })));
    openAt("/payment");
    expect(await screen.findByText("A league pays 90 % of what it collects. 10 % is our fee.")).toBeInTheDocument();
  });

  test("after the deadline no amount promises the prize of a full league: it says how many have joined", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, now: "2026-08-22T10:31:00Z" })));
    openAt("/payment");
    const checkout = within(await screen.findByRole("region", { name: "Auto Checkout" }));
    expect(await checkout.findByText("7 joined")).toBeInTheDocument();
    expect(checkout.queryByText("a full league pays")).not.toBeInTheDocument();
    expect(checkout.queryByText("KSh 450")).not.toBeInTheDocument();
  });

  test.each([
    ["a player", "Auto Checkout", () => logInAs("player")],
    ["a guest", "Want to Join a League?", forgetSession],
  ])("a gameweek that cannot be read: said so to %s, and nothing goes on looking as if it came", async (_who, name, be) => {
    be();
    server.use(http.get(url("/api/gameweek/status"), () => told(400, "Not now.")));
    openAt("/payment");
    const card = await screen.findByRole("region", { name });
    const coming = () => card.querySelectorAll("[aria-hidden]").length;
    expect(await screen.findByText("The gameweek could not be read just now.")).toBeInTheDocument();
    expect(coming()).toBe(0);
    server.use(http.get(url("/api/gameweek/status"), () => json(GAMEWEEK)));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await within(card).findByText(/^7 in: one league of 7/)).toBeInTheDocument();
  });

  test("nothing to play, and no amounts: nothing goes on looking as if they came", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, gameweek: null, deadline: null, amounts: [] })));
    openAt("/payment");
    const card = await screen.findByRole("region", { name: "Auto Checkout" });
    expect(await within(card).findByText("There is no gameweek to play just now.")).toBeInTheDocument();
    expect(card.querySelectorAll("[aria-hidden]")).toHaveLength(0);
  });

  test("the rules say what holds: nothing is deducted where that is off", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, deductTransferPoints: false })));
    openAt("/payment");
    expect(await screen.findByText("Points that extra transfers cost are not deducted this gameweek.")).toBeInTheDocument();
  });

  test.each([
    [true, "In the next gameweek each extra transfer beyond the free ones reduces your gameweek points."],
    [false, "Points that extra transfers cost are not deducted in the next gameweek."],
  ])("after the deadline the switch (%s) says nothing of the gameweek that is played", async (deductTransferPoints, rule) => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, now: "2026-08-22T10:31:00Z", deductTransferPoints })));
    openAt("/payment");
    expect(await screen.findByText(`${rule} Each gameweek goes by what holds at its deadline.`)).toBeInTheDocument();
  });

  test("a balance that cannot be read says so", async () => {
    server.use(http.get(url("/api/user"), noAnswer));
    openAt("/payment");
    expect(await screen.findByText(/could not be read just now/)).toBeInTheDocument();
  });
});

describe("the main page's parts, one by one (spec section 2)", () => {
  test("'Join a League' scrolls to the greeting", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Join a League" }));
    expect(scrolled.mock.contexts).toEqual([screen.getByText("Hello, wanjiru")]);
  });

  test("the rules list (spec sections 2 and 5)", async () => {
    openAt("/payment");
    const rules = within(await screen.findByRole("region", { name: "Rules" }));
    const texts = rules.getAllByRole("listitem").map((item) => item.textContent);
    for (const rule of [/a minimum of KSh 50, or the amount you desire/, /league of 10 players/, /top scorer/, /bench points/, /extra transfer/, /reset every week/]) {
      expect(texts.filter((text) => rule.test(text))).toHaveLength(1);
    }
  });

  test("'Top up' opens the dialog for a code, the profile icon the profile", async () => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Top up" }));
    expect(await screen.findByRole("dialog", { name: "Top up with an M-Pesa code" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await userEvent.click(screen.getByRole("button", { name: "Profile" }));
    expect(await screen.findByRole("dialog", { name: "Profile" })).toBeInTheDocument();
  });

  test.each([50, 100, 250])("%i opens the phone-number dialog, titled 'Pay KSh {amount}'", async (amount) => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: `KSh ${amount}` }));
    const dialog = within(await screen.findByRole("dialog", { name: `Pay KSh ${amount}` }));
    expect(dialog.getByLabelText("Phone number")).toBeInTheDocument();
  });

  test("'Checkout from Wallet' offers 50, 100 and 250, each with its prize and how many have joined (spec sections 2 and 5)", async () => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    expect(dialog.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Join for 50KSh 450 if the league fills; it pays 90 % of what it collects. 7 in: one league of 7, which pays KSh 315. 3 more make one league of ten, KSh 450.",
      "Join for 100KSh 900 if the league fills; it pays 90 % of what it collects. 0 in. 10 players make one league of ten, KSh 900.",
      "Join for 250KSh 2,250 if the league fills; it pays 90 % of what it collects. 1 in: one player alone gets the money back. 9 more make one league of ten, KSh 2,250.",
    ]);
  });

  test("nothing to play: said so, and no deadline", async () => {
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, gameweek: null, deadline: null })));
    openAt("/payment");
    expect((await screen.findAllByText("There is no gameweek to play just now.")).length).toBeGreaterThan(0);
    expect(screen.queryByText("The deadline has passed.")).not.toBeInTheDocument();
  });
});
