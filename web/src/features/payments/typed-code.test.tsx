import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { json, server, told, url, USER } from "../../testing/server";

beforeEach(() => logInAs("player"));

async function openTopUp() {
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Top up" }));
  return within(await screen.findByRole("dialog", { name: "Top up with an M-Pesa code" }));
}

async function send(code: string) {
  const dialog = await openTopUp();
  if (code) await userEvent.type(dialog.getByLabelText("M-Pesa code"), code);
  await userEvent.click(dialog.getByRole("button", { name: "Submit code" }));
  return dialog;
}

describe("manual top-up (spec sections 2, 5 and 8)", () => {
  test("shows the paybill and the account to pay to", async () => {
    const dialog = await openTopUp();
    expect(await dialog.findByText("174379")).toBeInTheDocument();
    expect(dialog.getByText("5720014")).toBeInTheDocument();
    for (const name of ["Copy the paybill number", "Copy your account number"]) {
      expect(dialog.getByRole("button", { name })).toBeEnabled();
    }
    expect(dialog.getByText(/^Sent it to a wrong account, or it has not come\?/)).toBeInTheDocument();
  });

  test("what was sent by hand comes to the balance while the dialog says how, and nothing is asked for when it is closed", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let [wallet, asked] = [0, 0];
    server.use(
      http.get(url("/api/user"), () => {
        asked += 1;
        return json({ ...USER, wallet });
      }),
    );
    openAt("/payment");
    await user.click(await screen.findByRole("button", { name: "Top up" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Top up with an M-Pesa code" }));
    await dialog.findByText("174379");
    wallet = 500;
    await vi.advanceTimersByTimeAsync(21_000);
    expect((await screen.findAllByText("KSh 500")).length).toBeGreaterThan(0);
    await user.click(dialog.getByRole("button", { name: "Close" }));
    const before = asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(before);
    vi.useRealTimers();
  });

  test("a paybill that cannot be read is said, and asked for again", async () => {
    let down = true;
    server.use(
      http.get(url("/api/user"), () =>
        down ? json({}, { status: 500 }) : json({ ...USER, paybill: { number: "600100", account: "1000002" } }),
      ),
    );
    const dialog = await openTopUp();
    const again = await dialog.findByRole("button", { name: "Try again" });
    down = false;
    await userEvent.click(again);
    expect(await dialog.findByText("600100")).toBeInTheDocument();
  }, 20_000);

  test("submits the code only, under a key of its own, and shows the server's message", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/manual-payment"), async ({ request }) => {
        sent.push(await request.json(), request.headers.get("idempotency-key"));
        return json({ _id: "m1", message: "Thank you, we look at it." }, { status: 201 });
      }),
    );
    const dialog = await send("nlj7 rt61sv");
    expect(await dialog.findByText("Thank you, we look at it.")).toBeInTheDocument();
    expect(sent).toEqual([{ mpesaCode: "NLJ7RT61SV" }, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test.each([
    [() => json({ _id: "m1" }, { status: 201 }), "Success wallet updated shortly"],
    [() => told(400, "This is not an M-Pesa code."), "This is not an M-Pesa code."],
    [() => json({}, { status: 500 }), "Submission went wrong"],
    [() => Response.error(), "Submission went wrong"],
  ])("what it says (%#)", async (answer, text) => {
    server.use(http.post(url("/api/manual-payment"), answer));
    const dialog = await send("NLJ7RT61SV");
    expect(await dialog.findByText(text)).toBeInTheDocument();
  });

  test("after no answer the code is still there, and is sent again under its key", async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post(url("/api/manual-payment"), ({ request }) => {
        keys.push(request.headers.get("idempotency-key"));
        return keys.length === 1 ? Response.error() : json({ _id: "m1" }, { status: 201 });
      }),
    );
    const dialog = await send("NLJ7RT61SV");
    await dialog.findByText("Submission went wrong");
    expect(dialog.getByLabelText("M-Pesa code")).toHaveValue("NLJ7RT61SV");
    await userEvent.click(dialog.getByRole("button", { name: "Submit code" }));
    expect(await dialog.findByText("Success wallet updated shortly")).toBeInTheDocument();
    expect(keys[1]).toBe(keys[0]);
  });

  test("no code: said at the field, and nothing is sent", async () => {
    const dialog = await send("");
    expect(dialog.getByLabelText("M-Pesa code")).toHaveAccessibleDescription(/^Enter the code from M-Pesa's message\./);
  });

  test("a second submit while one runs goes nowhere", async () => {
    let sent = 0;
    const answer = gate<Response>();
    server.use(
      http.post(url("/api/manual-payment"), () => {
        sent += 1;
        return answer.wait();
      }),
    );
    const dialog = await send("NLJ7RT61SV");
    await answer.asked;
    await userEvent.type(dialog.getByLabelText("M-Pesa code"), "{enter}");
    answer.open(json({ _id: "m1" }, { status: 201 }));
    expect(await dialog.findByText("Success wallet updated shortly")).toBeInTheDocument();
    expect(sent).toBe(1);
  });

  describe("after it was sent", () => {

    const posting = (receipt: string, amount: number) =>
      ({ _id: receipt, kind: "manual", amount, balanceAfter: 600, receipt, at: "2026-08-20T09:00:00Z" }) satisfies Schemas["Transaction"];

    /** The code is credited by the time that it is asked about for the nth time. */
    function creditedAt(nth: number) {
      let asked = 0;
      const isCredited = () => asked >= nth;
      server.use(
        http.post(url("/api/manual-payment"), () => json({ _id: "m1" }, { status: 201 })),
        http.get(url("/api/me/transactions"), () => {
          asked += 1;
          return json([...(isCredited() ? [posting("NLJ7RT61SV", 100)] : []), posting("ANOTHERONE", 70)]);
        }),
        http.get(url("/api/users/u1/wallet"), () => json({ wallet: isCredited() ? 600 : 500 })),
      );
      return () => asked;
    }

    test("a code that is credited at once: the dialog says how much is in the wallet, which shows it", async () => {
      creditedAt(1);
      const dialog = await send("nlj7rt61sv");
      expect(await dialog.findByText("KSh 100 is in your wallet.")).toBeInTheDocument();
      expect(dialog.getByText("Success wallet updated shortly")).toBeInTheDocument();
      expect(dialog.queryByText(/is being checked/)).not.toBeInTheDocument();
      expect(await within(screen.getByRole("region", { name: "Wallet" })).findByText("KSh 600")).toBeInTheDocument();
    });

    test.each([
      [30, "KSh 70 is in your wallet."],
      [100, "It has gone towards what you owed."],
    ])("of a code of KSh 100 a debt of KSh %i is paid first", async (owed, text) => {
      creditedAt(1);
      const paid = { ...posting("debt-paid#NLJ7RT61SV", -owed), kind: "debt-paid", receipt: null };
      server.use(
        http.get(url("/api/me/transactions"), () => json([paid, posting("NLJ7RT61SV", 100), { ...paid, _id: "debt-paid#ANOTHERONE" }])),
        http.get(url("/api/user"), () => json({ ...USER, wallet: 0, owed })),
        http.get(url("/api/users/u1/wallet"), () => json({ wallet: 100 - owed, owed: 0 })),
      );
      const dialog = await send("NLJ7RT61SV");
      expect(await dialog.findByText(text)).toBeInTheDocument();
      await expect.poll(() => screen.queryByText(/^You owe/)).toBeNull();
    });

    test("one that is credited a little later, with the dialog closed: the wallet shows it", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
      const asked = creditedAt(2);
      const dialog = await send("NLJ7RT61SV");
      expect(await dialog.findByText(/^Your code is being checked\./)).toBeInTheDocument();
      await expect.poll(asked).toBe(1);
      await userEvent.click(dialog.getAllByRole("button", { name: "Close" })[0]!);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await within(screen.getByRole("region", { name: "Wallet" })).findByText("KSh 600")).toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked()).toBe(2);
    });

    test("one that a person has to look at is asked about for a minute, and is still being checked", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
      const asked = creditedAt(100);
      const dialog = await send("NLJ7RT61SV");
      await dialog.findByText("Success wallet updated shortly");
      for (let second = 0; second < 90; second += 5) await vi.advanceTimersByTimeAsync(5_000);
      expect(asked()).toBe(13);
      expect(dialog.getByText("Your code is being checked. The money is in your wallet as soon as it is confirmed. If it is not, we mail you why.")).toBeInTheDocument();
      expect(dialog.getByRole("link", { name: "Something is wrong?" })).toHaveAttribute("href", expect.stringMatching(/^\/cases\?kind=payment&id=.+/));
    });
  });

  test("each way in leads to the other", async () => {
    const dialog = await openTopUp();
    await userEvent.click(dialog.getByRole("button", { name: /Get a prompt on your phone/ }));
    const deposit = within(await screen.findByRole("dialog", { name: "Deposit to Wallet" }));
    await userEvent.click(deposit.getByRole("button", { name: /Type the M-Pesa code/ }));
    expect(await screen.findByRole("dialog", { name: "Top up with an M-Pesa code" })).toBeInTheDocument();
  });
});
