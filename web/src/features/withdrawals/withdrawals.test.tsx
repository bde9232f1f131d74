import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { rows } from "../../testing/rows";
import { json, server, url } from "../../testing/server";

beforeEach(() => logInAs("player"));

describe("withdrawals", () => {
  const item = (id: string, status: "pending" | "done" | "rejected", reason: string | null = null) => ({
    _id: id,
    userId: "u1",
    username: "wanjiru",
    mpesaNumber: "0712345678",
    amount: 60,
    status,
    reason,
    createdAt: "2026-08-20T09:00:00Z",
    flagged: false,
    flags: [],
  });

  test("one that is asked for here is in the list at once", async () => {
    let asked = false;
    server.use(
      http.get(url("/api/withdraw"), () => json(asked ? [item("1", "pending")] : [])),
      http.post(url("/api/withdraw"), () => {
        asked = true;
        return json({ message: "ok", walletBalance: 440 });
      }),
    );
    openAt("/withdrawals");
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    await userEvent.type(dialog.getByLabelText("M-Pesa number"), "0712345678");
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "60");
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    expect(await screen.findByText("Waiting to be sent")).toBeInTheDocument();
  });

  test("an admin's are the own ones, not everybody's", async () => {
    logInAs("admin");
    const asked: (string | null)[] = [];
    server.use(
      http.get(url("/api/withdraw"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("userId"));
        return json([]);
      }),
    );
    openAt("/withdrawals");
    expect(await screen.findByText("You have not withdrawn anything yet.")).toBeInTheDocument();
    expect(asked).toEqual([localStorage.getItem("userId")]);
  });

  test("none yet: how to ask for one, and the way to the wallet", async () => {
    server.use(http.get(url("/api/withdraw"), () => json([])));
    openAt("/withdrawals");
    expect(await screen.findByText("You have not withdrawn anything yet.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "To your wallet" })).toHaveAttribute("href", "/payment");
  });

  test("of what has come back no tax was kept", async () => {
    const tax = { percent: 5, amount: 3 };
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([
          { ...item("1", "pending"), tax },
          { ...item("2", "rejected"), tax },
          { ...item("3", "done"), tax, corrected: "failed" },
          { ...item("4", "rejected"), tax, corrected: "paid" },
        ]),
      ),
    );
    openAt("/withdrawals");
    const kept = (await rows()).map((row) => row.textContent?.includes("is withholding tax"));
    expect(kept).toEqual([true, false, false, true]);
  });

  test("the wait and the link are told while they hold, and not after its time", async () => {
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([
          { ...item("1", "pending"), waitsUntil: "2026-08-20T08:59:00Z" },
          { ...item("2", "pending"), waitsUntil: "2026-08-20T09:10:00Z" },
        ]),
      ),
    );
    openAt("/withdrawals");
    await expect.poll(async () => (await rows()).map(({ textContent }) => [/Not before/.test(textContent), /link in our mail/.test(textContent)])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("what M-Pesa has in hand is read again until it has ended", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let payout = "sent";
    server.use(http.get(url("/api/withdraw"), () => json([{ ...item("1", payout === "sent" ? "pending" : "done"), payout }])));
    openAt("/withdrawals");
    expect(await screen.findByText("M-Pesa is sending it")).toBeInTheDocument();
    payout = "done";
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByText("Sent to M-Pesa")).toBeInTheDocument();
  });

  test("each with its state, the receipt of what M-Pesa paid, and the reason of a rejection", async () => {
    server.use(
      http.get(url("/api/withdraw"), () =>
        json([
          item("1", "pending"),
          { ...item("2", "done"), payout: "done", receipt: "NLJ7RT61SV" },
          item("3", "rejected", "The number is not registered."),
          { ...item("4", "pending"), payout: "sent" },
          item("5", "done"),
          { ...item("6", "pending"), waitsUntil: "2026-08-21T09:00:00Z" },
        ]),
      ),
    );
    openAt("/withdrawals");
    const [pending, done, rejected, paying, byHand, waiting] = await rows();
    expect(waiting).toHaveTextContent(/Waiting to be sentNot before .+: it goes to a number that is not known as yours yet\. If it was not you who asked, cancel it by the link in our mail\.Something is wrong\?$/);
    expect(within(pending!).getByText("Waiting to be sent")).toBeInTheDocument();
    expect(within(done!).getByText("Sent to M-Pesa")).toHaveTextContent("Receipt NLJ7RT61SV");
    expect(within(paying!).getByText("M-Pesa is sending it")).toBeInTheDocument();
    expect(byHand).toHaveTextContent(/Sent to M-PesaSomething is wrong\?$/);
    expect(rejected).toHaveTextContent("Rejected: the money has come backThe number is not registered.");
  });
});
