import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, LIMITS, noAnswer, server, told, url, USER } from "../../testing/server";
import { readLimit } from "./own-limits";

const limit = (name: string, change: object) => ({
  ...LIMITS,
  limits: LIMITS.limits.map((one) => (one.limit === name ? { ...one, ...change } : one)),
});

/** The page over these limits. Answers what was sent, each time with `then`. */
function open(limits: object = LIMITS, then: object = LIMITS, user: object = USER) {
  const sent: unknown[] = [];
  server.use(
    http.get(url("/api/user"), () => json(user)),
    http.get(url("/api/me/limits"), () => json(limits)),
    http.put(url("/api/me/limits"), async ({ request }) => {
      sent.push(await request.json());
      return json(then);
    }),
  );
  logInAs("player");
  openAt("/limits");
  return sent;
}
const form = async (name: string) => within(await screen.findByRole("form", { name }));

describe("the page of limits", () => {
  test("a limit is set by itself, and an empty one is none", async () => {
    const sent = open(limit("entry-week", { amount: 300, left: 250, used: 50 }), limit("deposit-day", { amount: 500 }));
    const deposits = await form("Deposits a day");
    expect((await form("Entries a week")).getByText("Used so far: KSh 50. Left until 21 Aug: KSh 250.")).toBeInTheDocument();
    await userEvent.type(deposits.getByLabelText("Deposits a day (KSh)"), "500");
    await userEvent.click(deposits.getByRole("button", { name: "Save" }));
    expect(await deposits.findByText("It counts from now on.")).toBeInTheDocument();
    const entries = await form("Entries a week");
    await userEvent.clear(entries.getByLabelText("Entries a week (KSh)"));
    await userEvent.click(entries.getByRole("button", { name: "Save" }));
    expect(sent).toEqual([
      { limits: { "deposit-day": 500 }, confirm: [] },
      { limits: { "entry-week": null }, confirm: [] },
    ]);
  });

  test("a higher limit is confirmed, and what the server says of it is shown", async () => {
    const raise = { to: 900, confirmFrom: "2026-08-21T06:00:00Z" };
    const sent = open(limit("loss-month", { amount: 500, left: 500, raise }));
    const losses = await form("Losses a month");
    expect(losses.getByText("You asked for KSh 900. It can be confirmed from Fri 21 Aug, 09:00.")).toBeInTheDocument();
    server.use(http.put(url("/api/me/limits"), () => told(409, "A higher limit can be confirmed 24 hours after you asked for it.")));
    await userEvent.click(losses.getByRole("button", { name: "Confirm the higher limit" }));
    expect(await losses.findByRole("alert")).toHaveTextContent("A higher limit can be confirmed 24 hours after you asked for it.");
    expect(sent).toEqual([]);
  });

  test("where the answer was lost it is not said that nothing was saved, and what counts is read", async () => {
    open();
    const deposits = await form("Deposits a day");
    server.use(
      http.get(url("/api/me/limits"), () => json(limit("deposit-day", { amount: 500, left: 380, used: 120 }))),
      http.put(url("/api/me/limits"), noAnswer),
    );
    await userEvent.type(deposits.getByLabelText("Deposits a day (KSh)"), "500");
    await userEvent.click(deposits.getByRole("button", { name: "Save" }));
    expect(await deposits.findByRole("alert")).toHaveTextContent("No clear answer came. See whether the limit has changed; if not, please try again.");
    expect(await deposits.findByText("Used so far: KSh 120. Left until 21 Aug: KSh 380.")).toBeInTheDocument();
  });

  test.each([
    ["", { ok: true, value: null }],
    ["0", { ok: true, value: 0 }],
    [" 1,000 ", { ok: true, value: 1000 }],
    ["1.5", { ok: false, error: "Enter whole shillings, without a point: 10, or 1,000." }],
    ["-5", { ok: false, error: "Enter whole shillings, or nothing for no limit." }],
    ["10000001", { ok: false, error: "A limit is at most KSh 10,000,000." }],
  ])("typed %j", (typed, read) => expect(readLimit(typed)).toEqual(read));
});

describe("stopping", () => {
  test("it is asked once more, with the password, and then it is so", async () => {
    const sent: unknown[] = [];
    open();
    server.use(
      http.post(url("/api/me/exclusion"), async ({ request }) => {
        sent.push(await request.json());
        server.use(http.get(url("/api/user"), () => json({ ...USER, stopped: { kind: "exclusion", until: "2027-02-20T06:12:00Z" } })));
        return json({ kind: "exclusion", until: "2027-02-20T06:12:00Z" }, { status: 201 });
      }),
    );
    await userEvent.click(await screen.findByRole("radio", { name: "Self-exclusion for 6 months" }));
    await userEvent.click(screen.getByRole("button", { name: "Stop playing" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Enter your password.");
    await userEvent.type(screen.getByLabelText("Your password"), "secret1");
    await userEvent.click(screen.getByRole("button", { name: "Stop playing" }));
    expect(sent).toEqual([]);
    await userEvent.click(await screen.findByRole("button", { name: "Stop now" }));
    expect(await screen.findByText(/^You have stopped until 20 Feb 2027, 09:12\./)).toBeInTheDocument();
    expect(sent).toEqual([{ for: "6m", password: "secret1", code: null }]);
  });

  test("where the answer was lost, and it has begun, it says so", async () => {
    open();
    server.use(
      http.post(url("/api/me/exclusion"), () => {
        server.use(http.get(url("/api/user"), () => json({ ...USER, stopped: { kind: "break", until: "2026-08-21T06:12:00Z" } })));
        return noAnswer();
      }),
    );
    await userEvent.type(await screen.findByLabelText("Your password"), "secret1");
    await userEvent.click(screen.getByRole("button", { name: "Stop playing" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop now" }));
    expect(await screen.findByText(/^You have stopped until 21 Aug 2026, 09:12\./)).toBeInTheDocument();
    expect(screen.getByRole("alert")).toHaveTextContent("No clear answer came. If it has begun, this page says so above; if not, please try again.");
  });

  test("when it ends while the page is in view, the page no longer says so", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date("2026-08-21T06:00:00Z") });
    const user = { ...USER, stopped: { kind: "break", until: "2026-08-21T06:12:00Z" } as object | null };
    open(LIMITS, LIMITS, user);
    expect(await screen.findByText(/^You have stopped until 21 Aug 2026, 09:12\./)).toBeInTheDocument();
    user.stopped = null;
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    expect(screen.getByText(/^You have stopped/)).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(3 * 60_000 + 2_000);
    await expect.poll(() => screen.queryByText(/^You have stopped/)).toBeNull();
  });

  test("where there is a second factor its code is asked for and sent", async () => {
    const sent: unknown[] = [];
    open();
    server.use(
      http.post(url("/api/me/exclusion"), async ({ request }) => {
        sent.push(await request.json());
        return json({ message: "Enter the code from your authenticator app.", code: "code_wanted" }, { status: 400 });
      }),
    );
    const stop = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Stop playing" }));
      await userEvent.click(await screen.findByRole("button", { name: "Stop now" }));
    };
    await userEvent.type(await screen.findByLabelText("Your password"), "secret1");
    await stop();
    expect(await screen.findByRole("alert")).toHaveTextContent("Enter the code from your authenticator app.");
    await userEvent.type(screen.getByLabelText("Code from your authenticator app"), "492039");
    await stop();
    await waitFor(() => expect(sent.at(-1)).toEqual({ for: "1d", password: "secret1", code: "492039" }));
  });
});

test("what a limit leaves is shown beside the amount of a deposit", async () => {
  open(limit("deposit-week", { amount: 500, left: 120, used: 380 }), LIMITS, { ...USER, hasLimits: true });
  await openFromProfile("Top Up Wallet");
  expect(await screen.findByText("Your own limit leaves KSh 120 until 21 Aug.")).toBeInTheDocument();
});

test("an entry above an own limit is refused where the amount is chosen", async () => {
  server.use(http.post(url("/api/join-league"), () => json({ message: "This is more than your own limit.", code: "own_limit_reached" }, { status: 400 })));
  logInAs("player");
  openAt("/checkout-wallet");
  await userEvent.click(await screen.findByRole("button", { name: "Join for 50" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
  expect(await dialog.findByText("This is more than your own limit.")).toBeInTheDocument();
});

test("the month so far is on the page of movements", async () => {
  server.use(http.get(url("/api/me/limits"), () => json({ ...LIMITS, month: { ...LIMITS.month, paidIn: 910, won: 450 } })));
  logInAs("player");
  openAt("/transactions");
  const month = within(await screen.findByRole("region", { name: "This month" }));
  expect(month.getByText("KSh 910")).toBeInTheDocument();
  expect(month.queryByText("Given back")).not.toBeInTheDocument();
});
