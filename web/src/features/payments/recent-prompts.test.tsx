import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { watchPrompt } from "../../lib/prompts";
import { logInAs, openAt } from "../../testing/app";
import { GAMEWEEK, json, server, url } from "../../testing/server";

const PROMPT = {
  checkoutId: "c1",
  amount: 50,
  at: "2026-08-20T08:50:00Z",
  state: "SUCCESS",
  entered: true,
  entryAmount: 50,
} satisfies Schemas["Prompt"];

const prompts = (...list: Schemas["Prompt"][]) => server.use(http.get(url("/api/me/payments"), () => json(list)));
const shown = async () => within(await screen.findByRole("region", { name: "Your M-Pesa payments" }));

beforeEach(() => logInAs("player"));

describe("a prompt that was decided after the page was closed is shown on return", () => {
  test.each<[string, Partial<Schemas["Prompt"]>, string]>([
    ["an entry", {}, "Your payment of KSh 50 arrived and paid for your entry."],
    ["a deposit", { entryAmount: null, entered: false }, "Deposit successful: KSh 50 is in your wallet."],
    [
      "a deposit that a person has credited with another amount",
      { entryAmount: null, entered: false, reason: "We have looked into this payment: KSh 40 is credited to you." },
      "Your payment of KSh 50 arrived. We have looked into this payment: KSh 40 is credited to you.",
    ],
    [
      "an entry that could not be",
      { entered: false, reason: "The deadline has passed." },
      "Your payment of KSh 50 arrived, but made no entry. The deadline has passed. The money is in your wallet.",
    ],
    [
      "an entry that could not be, with excise",
      { entered: false, amount: 52, tax: { percent: 5, amount: 2 }, reason: "The deadline has passed." },
      "Your payment of KSh 52 arrived, but made no entry. The deadline has passed. The money is in your wallet. Of KSh 52 that you paid, KSh 2 was excise duty (5 %).",
    ],
    [
      "an entry whose payment a person has credited with another amount",
      { entered: false, amount: 52, tax: { percent: 5, amount: 2 }, reason: "We have looked into this payment: KSh 38 is credited to you." },
      "Your payment of KSh 52 arrived, but made no entry. We have looked into this payment: KSh 38 is credited to you.",
    ],
    [
      "one that paid what was owed",
      { entered: false, reason: "You owe KSh 80: it was taken back. This payment has gone towards what you owed." },
      "Your payment of KSh 50 arrived, but made no entry. You owe KSh 80: it was taken back. This payment has gone towards what you owed.",
    ],
    [
      "a deposit that has paid a debt",
      {
        entryAmount: null, entered: false, tax: { percent: 5, amount: 25 }, amount: 519,
        reason: "KSh 50 of this payment has gone towards what you owed, KSh 444 is in your wallet.",
      },
      "Your payment of KSh 519 arrived. KSh 50 of this payment has gone towards what you owed, KSh 444 is in your wallet. Of KSh 519 that you paid, KSh 25 was excise duty (5 %).",
    ],
    [
      "a deposit that a person has credited with less, and that has paid a debt",
      {
        entryAmount: null, entered: false, tax: { percent: 5, amount: 20 }, amount: 519, credited: 400,
        reason: "KSh 50 of this payment has gone towards what you owed, KSh 330 is in your wallet.",
      },
      "Your payment of KSh 519 arrived. KSh 50 of this payment has gone towards what you owed, KSh 330 is in your wallet. Of KSh 400 that you paid, KSh 20 was excise duty (5 %).",
    ],
    [
      "one that a person has to look at",
      { state: "PENDING", entered: false, reason: "M-Pesa reports another amount than was asked for." },
      "Your payment of KSh 50 is being looked at by a person. Do not pay again. M-Pesa reports another amount than was asked for.",
    ],
    [
      "a failure",
      { state: "FAILED", entered: false, reason: "Request cancelled by user." },
      "Your payment of KSh 50 failed. Request cancelled by user. No entry and no deposit was made.",
    ],
  ])("%s", async (_what, change, text) => {
    prompts({ ...PROMPT, ...change });
    openAt("/payment");
    expect((await shown()).getByText(text)).toBeInTheDocument();
  });

  test("a failure that a later payment has made good is not told; one of a deposit, or a later one, is", async () => {
    const failed = { ...PROMPT, state: "FAILED", entered: false } as const;
    prompts(
      { ...failed, checkoutId: "c4", amount: 100 },
      PROMPT,
      { ...failed, checkoutId: "c2", reason: "Request cancelled by user." },
      { ...failed, checkoutId: "c3", amount: 500, entryAmount: null },
    );
    openAt("/payment");
    const region = await shown();
    expect(region.getByText("Your payment of KSh 50 arrived and paid for your entry.")).toBeInTheDocument();
    expect(region.getByText(/^Your payment of KSh 100 failed/)).toBeInTheDocument();
    expect(region.getByText(/^Your payment of KSh 500 failed/)).toBeInTheDocument();
    expect(region.queryByText(/cancelled by user/)).not.toBeInTheDocument();
  });

  test("once told, it is not told again", async () => {
    prompts(PROMPT);
    const { unmount } = openAt("/payment");
    await userEvent.click((await shown()).getByRole("button", { name: "Got it" }));
    expect(screen.queryByRole("region", { name: "Your M-Pesa payments" })).not.toBeInTheDocument();
    unmount();
    openAt("/payment");
    await screen.findByText("KSh 500");
    expect(screen.queryByRole("region", { name: "Your M-Pesa payments" })).not.toBeInTheDocument();
  });

  test.each<[string, Partial<Schemas["Prompt"]>, RegExp]>([
    ["was paid after all", { state: "SUCCESS" }, /^Deposit successful: KSh 50/],
    ["is looked at by a person", { state: "PENDING", reason: "M-Pesa has said nothing for a day." }, /is being looked at by a person\. Do not pay again\./],
  ])("a failure that was told is told anew where it %s", async (_what, change, text) => {
    const failed = { ...PROMPT, entryAmount: null, entered: false, state: "FAILED" } as const;
    prompts(failed);
    const { unmount } = openAt("/payment");
    await userEvent.click((await shown()).getByRole("button", { name: "Got it" }));
    unmount();
    prompts({ ...failed, ...change });
    openAt("/payment");
    expect((await shown()).getByText(text)).toBeInTheDocument();
  });

  test("one that is not decided says so, is asked about again, and brings the wallet with it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      http.get(url("/api/me/payments"), () => {
        asked += 1;
        return json([{ ...PROMPT, entryAmount: null, entered: false, state: asked === 1 ? "PENDING" : "SUCCESS" }]);
      }),
      http.get(url("/api/users/u1/wallet"), () => json({ wallet: 550 })),
    );
    openAt("/payment");
    expect((await shown()).getByText(/^Your payment of KSh 50 is not decided yet\./)).toBeInTheDocument();
    expect((await shown()).queryByRole("button", { name: "Got it" })).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await screen.findByText(/^Deposit successful: KSh 50/)).toBeInTheDocument();
    expect(await screen.findByText("KSh 550")).toBeInTheDocument();
  });

  const WAITS = { ...PROMPT, entered: false, state: "PENDING", entryGameweek: 3 } as const;
  const ENTER_PIN = "Your payment of KSh 50 is not decided yet. If your phone shows M-Pesa's prompt, enter your PIN.";
  const TOO_LATE = "Your payment of KSh 50 is not decided yet. If it was paid, the money comes to your wallet.";
  test.each<[string, object, Partial<Schemas["Prompt"]>, string]>([
    ["while entries are taken", {}, {}, ENTER_PIN],
    ["at the deadline", { isOpen: false, state: "closed", now: "2026-08-22T10:54:00Z" }, {}, ENTER_PIN],
    ["once the list of entries is fixed", { isOpen: false, state: "closed", now: "2026-08-22T10:55:00Z" }, {}, TOO_LATE],
    ["a deposit then", { isOpen: false, state: "closed", now: "2026-08-22T10:55:00Z" }, { entryAmount: null, entryGameweek: null }, ENTER_PIN],
    ["one of the gameweek before", { gameweek: 4, deadline: "2026-08-25T10:30:00Z", now: "2026-08-23T11:00:00Z" }, {}, TOO_LATE],
    ["one of the gameweek before, while its list waits", { gameweek: 4, deadline: "2026-08-24T10:00:00Z", now: "2026-08-22T10:54:00Z" }, {}, ENTER_PIN],
    ["where there is nothing to play", { isOpen: false, gameweek: null, deadline: null, state: null }, {}, ENTER_PIN],
  ])("what is said of a prompt that M-Pesa is silent about: %s", async (_when, status, change, text) => {
    prompts({ ...WAITS, ...change });
    server.use(
      http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, ...status })),
      http.get(url("/api/gameweeks"), () => json([{ number: 3, deadline: GAMEWEEK.deadline }])),
    );
    openAt("/payment");
    expect(await (await shown()).findByText(text)).toBeInTheDocument();
  });

  test("a page that is open says so when the list is fixed: the notice and the deadline's card alike, on both pages", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    prompts(WAITS);
    const status = { ...GAMEWEEK, isOpen: false, state: "closed", now: "2026-08-22T10:54:50Z" } as const;
    server.use(http.get(url("/api/gameweek/status"), () => json(status)));
    const { unmount } = openAt("/payment");
    expect(await screen.findByText(/^Waiting for M-Pesa/)).toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await screen.findByText(`You did not join. ${TOO_LATE}`)).toBeInTheDocument();
    expect((await shown()).getByText(TOO_LATE)).toBeInTheDocument();
    unmount();
    server.use(http.get(url("/api/gameweek/status"), () => json({ ...status, now: "2026-08-22T15:00:00Z" })));
    openAt("/leagues");
    expect(await screen.findByText(`You did not join. ${TOO_LATE}`)).toBeInTheDocument();
    expect(screen.queryByText(/^Waiting for M-Pesa/)).not.toBeInTheDocument();
  });

  test("what the page waits for itself is not told twice", async () => {
    const unwatch = watchPrompt("c1");
    prompts(PROMPT);
    openAt("/payment");
    await screen.findByText("KSh 500");
    expect(screen.queryByRole("region", { name: "Your M-Pesa payments" })).not.toBeInTheDocument();
    unwatch();
    expect((await shown()).getByText(/and paid for your entry\.$/)).toBeInTheDocument();
  });
});
