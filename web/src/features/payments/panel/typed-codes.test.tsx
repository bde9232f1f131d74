import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs } from "../../../testing/app";
import { part, taking } from "../../../testing/panel";
import { json, server, SETTINGS, told, url } from "../../../testing/server";

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

  test("where there is excise it is said that it is taken, and what of it is credited", async () => {
    server.use(http.get(url("/api/settings"), () => json({ ...SETTINGS, excisePercent: 5 })));
    taking("post", CONFIRM, () => json({ ...PAYMENT, status: "confirmed", amount: 519 }));
    const section = await open(PAYMENT);
    await userEvent.click(await section.findByRole("button", { name: "Confirm" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm NLJ7RT61SV" }));
    expect(await dialog.findByText(/received for this code, less excise duty \(today 5 %\)\. This is not/)).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "519");
    await userEvent.click(dialog.getByRole("button", { name: "Credit the wallet" }));
    const said = "KSh 519 is credited to otieno for NLJ7RT61SV, less the excise duty of its day.";
    expect(await section.findByText(said)).toBeInTheDocument();
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

  test("whose account a payment names is said", async () => {
    const known: Schemas["KnownPayment"] = {
      source: "status",
      completed: true,
      toUs: true,
      amount: 250,
      payerPhone: "0712345678",
      accountReference: "5720014",
      accountOf: "wanjiku",
      at: "2026-08-23T08:58:00Z",
    };
    const section = await open({ ...PAYMENT, waitsBecause: "The payment names another player's account.", known });
    const said = "M-Pesa says: KSh 250 from 0712345678 for account 5720014, which is wanjiku's.";
    expect(await section.findByText(said)).toBeInTheDocument();
  });

  test.each([
    ["M-Pesa does not know this code as a payment that was made.", true],
    ["M-Pesa has taken this payment back.", false],
  ])("a code that M-Pesa does not know is not called unpaid: %s", async (waitsBecause, hinted) => {
    const known: Schemas["KnownPayment"] = { source: "status", completed: false, toUs: false, at: "2026-08-23T08:58:00Z" };
    const section = await open({ ...PAYMENT, waitsBecause, known });
    expect(await section.findByText(waitsBecause)).toBeInTheDocument();
    expect(section.queryByText(/was not made/)).not.toBeInTheDocument();
    const hint = section.queryByText("M-Pesa has found no completed payment under this code so far. Look into its portal.");
    expect(hint !== null).toBe(hinted);
  });

  test.each([
    ["manual#NLJ7RT61SV", "Credited before, by a typed code."],
    ["paybill#NLJ7RT61SV", "Credited before, by a payment to the paybill."],
    ["of-tomorrow#1", "Credited before, by of-tomorrow#1."],
  ])("what credited a code before is said in words: %s", async (creditedBy, said) => {
    const section = await open({ ...PAYMENT, creditedBy });
    expect(await section.findByText(said)).toBeInTheDocument();
  });

  const CREDITED = { creditedBy: "manual#NLJ7RT61SV", creditedTo: { userId: "u9", username: "achieng" } };

  test("to whom a code was credited before is said, and leads to that player", async () => {
    const section = await open({ ...PAYMENT, ...CREDITED });
    const link = await section.findByRole("link", { name: "achieng" });
    expect(link).toHaveAttribute("href", "/panel/players/u9");
    expect(link.closest("p")).toHaveTextContent("Credited before, by a typed code, to achieng.");
  });

  test("an account that was erased has no name and no page: its id is said", async () => {
    const section = await open({ ...PAYMENT, ...CREDITED, creditedTo: { userId: "u9", username: "" } });
    expect(await section.findByText("Credited before, by a typed code, to a closed account (u9).")).toBeInTheDocument();
  });

  test("who rejects a code that was credited before reads to whom, and not that nothing was credited", async () => {
    const section = await open({ ...PAYMENT, ...CREDITED });
    taking("post", "/api/manual-payment/reject", () => json({ ...PAYMENT, ...CREDITED, status: "rejected" }));
    await userEvent.click(await section.findByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reject NLJ7RT61SV" }));
    const asked = "This code was credited before, by a typed code, to achieng. That stays; nothing more is credited for it.";
    expect(dialog.getByText(asked)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
    const said = "NLJ7RT61SV of otieno is rejected. It was credited before, by a typed code, to achieng.";
    expect(await section.findByText(said)).toBeInTheDocument();
  });

  test("what was credited before and taken back by M-Pesa is said to be so", async () => {
    const creditedTo = { ...CREDITED.creditedTo, takenBackAt: "2026-08-23T09:00:00Z" };
    const section = await open({ ...PAYMENT, ...CREDITED, creditedTo });
    const link = await section.findByRole("link", { name: "achieng" });
    expect(link.closest("p")).toHaveTextContent("Credited before, by a typed code, to achieng, and taken back by M-Pesa.");
    await userEvent.click(section.getByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Reject NLJ7RT61SV" }));
    const asked = "This code was credited before, by a typed code, to achieng, and taken back by M-Pesa. Nothing more is credited for it.";
    expect(dialog.getByText(asked)).toBeInTheDocument();
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
