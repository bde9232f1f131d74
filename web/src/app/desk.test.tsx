import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../api/client";
import { logInAs } from "../testing/app";
import { part, taking } from "../testing/panel";
import { json, server, told, url } from "../testing/server";

beforeEach(() => logInAs("admin"));

describe("pending manual payments (spec sections 2, 4 and 5)", () => {
  const PAYMENT = {
    _id: "m1",
    userId: "u7",
    username: "otieno",
    mpesaCode: "NLJ7RT61SV",
    status: "pending",
    createdAt: "2026-08-23T09:00:00Z",
    prompts: [],
  } satisfies Schemas["ManualPaymentItem"];
  const CONFIRM = "/api/manual-payment/confirm";

  async function open(...list: Schemas["ManualPaymentItem"][]) {
    server.use(http.get(url("/api/manual-payment/pending"), () => json(list)));
    return part("Pending Manual Payments");
  }

  test("confirm asks for an amount, credits it, says so, and the payment leaves the list", async () => {
    let list: Schemas["ManualPaymentItem"][] = [PAYMENT];
    const sent = taking("post", CONFIRM, () => {
      list = [];
      return json({ ...PAYMENT, status: "confirmed", amount: 500 });
    });
    server.use(http.get(url("/api/manual-payment/pending"), () => json(list)));
    const section = await part("Pending Manual Payments");
    expect(await section.findByRole("link", { name: "otieno" })).toHaveAttribute("href", "/panel/players/u7");
    await userEvent.click(section.getByRole("button", { name: "Confirm" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm NLJ7RT61SV" }));
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "500");
    await userEvent.click(dialog.getByRole("button", { name: "Credit the wallet" }));
    expect(await section.findByText("KSh 500 is credited to otieno for NLJ7RT61SV.")).toBeInTheDocument();
    expect(await section.findByText("No payments wait.")).toBeInTheDocument();
    expect(sent).toEqual([{ paymentId: "m1", userId: "u7", amount: 500 }]);
  });

  test.each(["", "0", "-5", "ten", "1.5"])("an amount of %j: 'Please enter a valid amount.', and nothing is sent", async (typed) => {
    const section = await open(PAYMENT);
    await userEvent.click(await section.findByRole("button", { name: "Confirm" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm NLJ7RT61SV" }));
    if (typed) await userEvent.type(dialog.getByLabelText("Amount (KSh)"), typed);
    await userEvent.click(dialog.getByRole("button", { name: "Credit the wallet" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Please enter a valid amount.");
  });

  test("reject takes a reason, credits nothing, says so, and the payment leaves the list", async () => {
    let list: Schemas["ManualPaymentItem"][] = [PAYMENT];
    const sent = taking("post", "/api/manual-payment/reject", () => {
      list = [];
      return json({ ...PAYMENT, status: "rejected" });
    });
    server.use(http.get(url("/api/manual-payment/pending"), () => json(list)));
    const section = await part("Pending Manual Payments");
    await userEvent.click(await section.findByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reject NLJ7RT61SV" }));
    await userEvent.type(dialog.getByLabelText("Reason (optional)"), "Not on our paybill.");
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    expect(await section.findByText("NLJ7RT61SV of otieno is rejected. Nothing was credited.")).toBeInTheDocument();
    expect(await section.findByText("No payments wait.")).toBeInTheDocument();
    expect(sent).toEqual([{ paymentId: "m1", reason: "Not on our paybill." }]);
  });

  test("a refusal is logged and said in the server's words, and the form stays (spec section 8)", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", CONFIRM, () => told(409, "A prompt of this amount has no receipt yet."));
    const section = await open(PAYMENT);
    await userEvent.click(await section.findByRole("button", { name: "Confirm" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm NLJ7RT61SV" }));
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "500");
    await userEvent.click(dialog.getByRole("button", { name: "Credit the wallet" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent("A prompt of this amount has no receipt yet.");
    expect(logged).toHaveBeenCalled();
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveValue("500");
  });

  test("what is strange about a code, and the prompts that it may belong to, stand beside it", async () => {
    const prompt = { checkoutId: "c1", userId: PAYMENT.userId, amount: 500, state: "SET_ASIDE" as const, at: "2026-08-23T08:00:00Z", holdsBack: true };
    const section = await open({ ...PAYMENT, warning: "The code's date is old.", prompts: [prompt] });
    expect(await section.findByText("The code's date is old.")).toBeInTheDocument();
    expect(section.getByText(/^The player's prompt of KSh 500, set aside, .* is refused while it stands\.$/)).toBeInTheDocument();
  });

  test("what M-Pesa says of a code is shown, and is the amount that is offered", async () => {
    const known: Schemas["KnownPayment"] = {
      source: "confirmation",
      completed: true,
      toUs: true,
      amount: 500,
      payerName: "OTIENO OKOTH",
      payerPhone: "0712345678",
      accountReference: "FPL Leagues",
      at: "2026-08-23T08:58:00Z",
    };
    const section = await open({ ...PAYMENT, waitsBecause: "Nobody has paid from this number before.", known });
    expect(await section.findByText("Nobody has paid from this number before.")).toBeInTheDocument();
    expect(section.getByText("M-Pesa confirmed: KSh 500 from OTIENO OKOTH, 0712345678 for account FPL Leagues.")).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Confirm" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm NLJ7RT61SV" }));
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveValue("500");
  });

  test("pages and refreshes", async () => {
    const cursors: (string | null)[] = [];
    server.use(
      http.get(url("/api/manual-payment/pending"), ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        cursors.push(cursor);
        return cursor
          ? json([{ ...PAYMENT, _id: "m2", mpesaCode: "QWE7RT61SV" }])
          : json([PAYMENT], { headers: { "x-next-cursor": "p2" } });
      }),
    );
    const section = await part("Pending Manual Payments");
    await userEvent.click(await section.findByRole("button", { name: "Show more" }));
    expect(await section.findByText("QWE7RT61SV")).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Refresh" }));
    await expect.poll(() => cursors).toEqual([null, "p2", null, "p2"]);
  });
});

describe("withdrawal requests (spec sections 2 and 4)", () => {
  const WITHDRAWAL: Schemas["WithdrawalItem"] = {
    _id: "w1",
    userId: "u1",
    username: "wanjiru",
    mpesaNumber: "0712345678",
    amount: 450,
    status: "pending",
    createdAt: "2026-08-23T09:00:00Z",
    flagged: false,
    flags: [],
  };

  async function open(...list: Schemas["WithdrawalItem"][]) {
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    return part("Withdrawal Requests");
  }
  const confirm = async (name: string) =>
    userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));

  test("'Mark as Done' asks, and the done one leaves the list", async () => {
    let list = [WITHDRAWAL, { ...WITHDRAWAL, _id: "w2", userId: "u7", username: "otieno" }];
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    const sent = taking("put", "/api/withdraw/w1", () => {
      list = list.slice(1);
      return json({ ...WITHDRAWAL, status: "done" });
    });
    const section = await part("Withdrawal Requests");
    const [first] = await section.findAllByRole("button", { name: "Mark as Done" });
    await userEvent.click(first!);
    expect(screen.getByText(/^KSh 450 to wanjiru at 0712345678: was it sent\?/)).toBeInTheDocument();
    await confirm("Yes, it was sent");
    expect(await section.findByText("The withdrawal of KSh 450 by wanjiru is done.")).toBeInTheDocument();
    await expect.poll(() => section.queryByText("wanjiru")).toBeNull();
    expect(section.getByRole("link", { name: "otieno" })).toHaveAttribute("href", "/panel/players/u7");
    expect(sent).toEqual([{ status: "done" }]);
  });

  test("only a pending one can be marked as done; another has left the list", async () => {
    const section = await open(WITHDRAWAL, { ...WITHDRAWAL, _id: "w2", username: "otieno", status: "done" });
    expect(await section.findAllByRole("button", { name: "Mark as Done" })).toHaveLength(1);
    expect(section.queryByText("otieno")).not.toBeInTheDocument();
  });

  test("a rejection needs a reason, and gives the money back", async () => {
    const sent = taking("put", "/api/withdraw/w1", () => json({ ...WITHDRAWAL, status: "rejected" }));
    const section = await open(WITHDRAWAL);
    await userEvent.click(await section.findByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reject the withdrawal" }));
    expect(dialog.getByText(/^KSh 450 to wanjiru at 0712345678: the money goes back/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Give the reason: players read it.");
    await userEvent.type(dialog.getByLabelText("Reason"), "Not your number.");
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    expect(await section.findByText("Rejected: KSh 450 is back in the wallet of wanjiru.")).toBeInTheDocument();
    expect(sent).toEqual([{ status: "rejected", reason: "Not your number." }]);
  });

  test("paying by M-Pesa asks, and what M-Pesa has in hand cannot be decided", async () => {
    let list = [WITHDRAWAL];
    server.use(http.get(url("/api/withdraw"), () => json(list)));
    const sent = taking("post", "/api/withdraw/w1/pay", () => {
      list = [{ ...WITHDRAWAL, payout: "sent" }];
      return json(list[0]);
    });
    const section = await part("Withdrawal Requests");
    await userEvent.click(await section.findByRole("button", { name: "Pay by M-Pesa" }));
    expect(screen.getByText(/^KSh 450 to wanjiru at 0712345678 is sent now\./)).toBeInTheDocument();
    await confirm("Send the money");
    expect(await section.findByText(/^M-Pesa was asked to pay KSh 450 to wanjiru\./)).toBeInTheDocument();
    expect(await section.findByText(/M-Pesa is paying it/)).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Mark as Done" })).not.toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  test("what M-Pesa has in hand is asked about every few seconds, until it is decided", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      http.get(url("/api/withdraw"), () => {
        asked += 1;
        return json(asked < 3 ? [{ ...WITHDRAWAL, payout: "sent" }] : []);
      }),
    );
    const section = await part("Withdrawal Requests");
    expect(await section.findByText(/M-Pesa is paying it/)).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => asked).toBe(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await section.findByText("No withdrawal requests.")).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked).toBe(3);
    vi.useRealTimers();
  });

  test("a failure is logged, and says what happened to the money (spec section 8)", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", "/api/withdraw/w1/pay", () => json({}, { status: 503 }));
    const section = await open(WITHDRAWAL);
    await userEvent.click(await section.findByRole("button", { name: "Pay by M-Pesa" }));
    await confirm("Send the money");
    expect(await section.findByRole("alert")).toHaveTextContent("M-Pesa did not accept it. Nothing was sent.");
    expect(logged).toHaveBeenCalled();
  });

  test("one to look at twice says why, and whose number it is", async () => {
    const section = await open({ ...WITHDRAWAL, flagged: true, flags: ["new-number", "frozen"], waitsUntil: "2026-08-21T09:00:00Z", recipientName: "WANJIKU MWANGI", trouble: "Paid twice?" });
    expect(await section.findByText("To a number that is not the player's own.")).toBeInTheDocument();
    expect(section.getByText(/^The account is frozen/)).toBeInTheDocument();
    expect(section.getByText(/^Not to be paid before /)).toBeInTheDocument();
    expect(section.getByText(/WANJIKU MWANGI/)).toBeInTheDocument();
    expect(section.getByText("Paid twice?")).toBeInTheDocument();
  });
});

describe("influencer links (spec sections 2, 5 and 8)", () => {
  const LINK = "https://fplleagues.example/ref/7kq2m9x4ab";

  async function create(name: string) {
    server.use(http.get(url("/api/influencers"), () => json([])));
    const section = await part("Influencer Links");
    if (name) await userEvent.type(section.getByLabelText("Name"), name);
    await userEvent.click(section.getByRole("button", { name: "Create link" }));
    return section;
  }

  test("takes a name and shows the referral link", async () => {
    const sent = taking("post", "/api/influencer/create", () =>
      json({ code: "7kq2m9x4ab", name: "Mwalimu FPL", referralLink: LINK }, { status: 201 }),
    );
    const section = await create("  Mwalimu FPL ");
    expect(await section.findByText(LINK)).toBeInTheDocument();
    expect(sent).toEqual([{ name: "Mwalimu FPL" }]);
    expect(section.getByLabelText("Name")).toHaveValue("");
  });

  test("an empty name: 'Please enter a name.'", async () => {
    const section = await create("   ");
    expect(section.getByLabelText("Name")).toHaveAccessibleDescription("Please enter a name.");
  });

  test.each([
    [() => json({ error: "The name is taken." }, { status: 409 }), "The name is taken."],
    [() => json({}, { status: 500 }), "Failed to create influencer."],
    [() => Response.error(), "Failed to create influencer."],
  ])("a refusal (%#)", async (answer, text) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("post", "/api/influencer/create", answer);
    const section = await create("Mwalimu");
    expect(await section.findByRole("alert")).toHaveTextContent(text);
    expect(section.getByLabelText("Name")).toHaveValue("Mwalimu");
  });

  test("each with what came of the link", async () => {
    const item = { code: "7kq2m9x4ab", name: "Mwalimu FPL", referralLink: LINK, visits: 312, signUps: 40, payingPlayers: 18 };
    const other = { ...item, code: "8kq2m9x4ab", visits: 1, signUps: 1, payingPlayers: 1 };
    const createdAt = "2026-08-20T09:00:00Z";
    server.use(http.get(url("/api/influencers"), () => json([{ ...item, createdAt }, { ...other, createdAt }])));
    const section = await part("Influencer Links");
    expect(await section.findByText("312 visits · 40 sign-ups · 18 paying players")).toBeInTheDocument();
    expect(section.getByText("1 visit · 1 sign-up · 1 paying player")).toBeInTheDocument();
  });
});

describe("waiting leagues (decisions, \"The gameweek\")", () => {
  const figures = { gross: 65, transfersCost: 4, points_on_bench: 7 };
  const LEAGUE = {
    _id: "2026-03-50-00002",
    gameweek: 3,
    season: 2026,
    entryAmount: 50,
    why: "Team 7: it has no official score for this gameweek.",
    since: "2026-08-24T09:00:00Z",
    decidableFrom: "2026-08-20T08:00:00Z",
    decisions: ["official-figures", "own-figures", "refund", "leave-out"],
    teams: [
      { username: "wanjiru", fplId: "5", own: figures, official: figures },
      { username: "otieno", fplId: "7", own: null, official: null },
    ],
  } satisfies Schemas["WaitingLeague"];

  async function open(league: Schemas["WaitingLeague"]) {
    server.use(http.get(url("/api/admin/leagues/waiting"), () => json({ waiting: [league], corrected: [] })));
    return part("Waiting Leagues");
  }
  const decided = () => taking("post", `/api/admin/leagues/${LEAGUE._id}`, () => json({ message: "It is decided." }));

  test.each([
    ["Settle officially", { act: "official-figures", reason: "Checked." }],
    ["Settle on our figures", { act: "own-figures", reason: "Checked." }],
    ["Refund all", { act: "refund", reason: "Checked." }],
    ["Leave out", { act: "leave-out", reason: "Checked.", fplIds: ["7"] }],
  ])("%s asks for a reason and says what happened", async (name, body) => {
    const sent = decided();
    const section = await open(LEAGUE);
    expect(await section.findByText("Gameweek 3 of 2026, KSh 50, league #2")).toBeInTheDocument();
    await userEvent.click(await section.findByRole("button", { name }));
    const dialog = within(await screen.findByRole("dialog", { name }));
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Give the reason: players read it.");
    await userEvent.type(dialog.getByLabelText("Reason"), "Checked.");
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(await section.findByText("It is decided.")).toBeInTheDocument();
    expect(sent).toEqual([body]);
  });

  test("what the server would refuse is not offered", async () => {
    const section = await open({ ...LEAGUE, decisions: ["own-figures"] });
    expect(await section.findByRole("button", { name: "Settle on our figures" })).toBeInTheDocument();
    for (const name of ["Settle officially", "Refund all", "Leave out"]) {
      expect(section.queryByRole("button", { name })).not.toBeInTheDocument();
    }
  });

  test("before its time it can only be tried again, which needs no reason", async () => {
    const sent = decided();
    const section = await open({ ...LEAGUE, decidableFrom: "2026-08-25T09:00:00Z" });
    expect(await section.findByText(/can be decided from Tue 25 Aug, 12:00$/)).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Refund all" })).not.toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Try again" }));
    expect(await section.findByText("It is decided.")).toBeInTheDocument();
    expect(sent).toEqual([{ act: "retry" }]);
  });

  test("a correction that came after the payment is shown and changes nothing", async () => {
    const corrected = [{ _id: LEAGUE._id, what: "Team 5: 61 points, paid on 60." }];
    server.use(http.get(url("/api/admin/leagues/waiting"), () => json({ waiting: [], corrected })));
    const section = await part("Waiting Leagues");
    expect(await section.findByText(/Team 5: 61 points, paid on 60\. Nothing that was paid changes\.$/)).toBeInTheDocument();
  });
});
