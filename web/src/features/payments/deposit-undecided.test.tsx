/** A deposit that is not decided yet: what is told of it where, and what can be done meanwhile. */
import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { fastTimers, started, user } from "../../testing/prompts";
import { GAMEWEEK, json, noAnswer, server, told, url } from "../../testing/server";

const WHY = "This M-Pesa receipt was credited before.";
const ASIDE = /^Your payment of KSh 200 is being looked at by a person\. Do not pay again\. This M-Pesa receipt/;
const PROMPT = { checkoutId: "c1", amount: 200, at: GAMEWEEK.now, entered: false, state: "PENDING" } satisfies Schemas["Prompt"];

beforeEach(() => {
  fastTimers();
  logInAs("player");
});

const dialog = async () => within(await screen.findByRole("dialog", { name: "Deposit to Wallet" }));
const onPage = async () => within(await screen.findByRole("region", { name: "Your M-Pesa payments" }));

async function openDialog() {
  await user().click(await screen.findByRole("button", { name: "Profile" }));
  await user().click(await screen.findByRole("button", { name: "Top Up Wallet" }));
  return dialog();
}

/** A prompt of KSh 200 was sent; `why` is told of it from when it is set. */
async function deposit() {
  const prompt = { sent: vi.fn(started), why: null as string | null };
  server.use(
    http.post(url("/api/deposits"), prompt.sent),
    http.get(url("/api/deposits/status"), () => json({ success: true, status: "PENDING", ...(prompt.why && { message: prompt.why }) })),
    http.get(url("/api/me/payments"), () => json(prompt.sent.mock.calls.length > 0 ? [{ ...PROMPT, reason: prompt.why }] : [])),
  );
  openAt("/payment");
  await (await ask()).findByText(/Prompt sent/);
  return prompt;
}
async function ask() {
  const form = await openDialog();
  await user().type(form.getByLabelText("Phone number"), "0712345678");
  await user().type(form.getByLabelText("Amount (KSh)"), "200");
  await user().click(form.getByRole("button", { name: "Deposit" }));
  return form;
}
const close = async () => user().click((await dialog()).getByRole("button", { name: "Close" }));

async function expectNothingToPay() {
  const form = await openDialog();
  expect(await form.findByText(ASIDE)).toBeInTheDocument();
  expect(form.getByRole("button", { name: "Deposit" })).toBeDisabled();
  expect(form.queryByText("Paybill")).not.toBeInTheDocument();
}

test("set aside while its dialog is open: the page tells it once that is closed, and opened again it asks for no payment", async () => {
  const prompt = await deposit();
  prompt.why = WHY;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await (await dialog()).findByText(ASIDE)).toBeInTheDocument();
  await close();
  expect(await (await onPage()).findByText(ASIDE)).toBeInTheDocument();
  await expectNothingToPay();
});

test("closed while it waits, the page tells of it, and that it is set aside", async () => {
  const prompt = await deposit();
  expect(screen.queryByRole("region", { name: "Your M-Pesa payments" })).not.toBeInTheDocument();
  await close();
  expect(await (await onPage()).findByText(/^Your payment of KSh 200 is not decided yet\./)).toBeInTheDocument();
  prompt.why = WHY;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await (await onPage()).findByText(ASIDE)).toBeInTheDocument();
  await expectNothingToPay();
});

test("set aside before the page was loaded: the dialog says so, and another deposit can be made", async () => {
  server.use(http.get(url("/api/me/payments"), () => json([{ ...PROMPT, reason: WHY }])));
  openAt("/transactions");
  const form = await openDialog();
  expect(await form.findByText(ASIDE)).toBeInTheDocument();
  expect(form.getByRole("button", { name: "Deposit" })).toBeEnabled();
  expect(form.getByText("Paybill")).toBeInTheDocument();
});

test("while it waits the paybill and the code are there; after two minutes another can be asked for", async () => {
  const prompt = await deposit();
  const form = await dialog();
  expect(form.getByText("5720014")).toBeInTheDocument();
  expect(form.getByRole("button", { name: /Type the M-Pesa code$/ })).toBeEnabled();
  expect(form.getByRole("button", { name: "Deposit" })).toBeDisabled();
  await vi.advanceTimersByTimeAsync(125_000);
  expect(await form.findByText(/^M-Pesa has not confirmed it yet\. If you have paid, do not pay again/)).toBeInTheDocument();
  expect(form.getByText(/Prompt sent/)).toBeInTheDocument();
  await user().click(form.getByRole("button", { name: "Deposit" }));
  await form.findByText(/Prompt sent/);
  expect(prompt.sent).toHaveBeenCalledTimes(2);
  expect(form.queryByText(/^M-Pesa has not confirmed it yet/)).not.toBeInTheDocument();
});

test("what comes of the first while another one was refused is told by the page, which is not loaded again", async () => {
  await deposit();
  const form = await dialog();
  await vi.advanceTimersByTimeAsync(125_000);
  await form.findByText(/^M-Pesa has not confirmed it yet/);
  server.use(
    http.post(url("/api/deposits"), () => told(409, "An earlier prompt is still open.")),
    http.get(url("/api/deposits/status"), () => json({ success: true, status: "SUCCESS" })),
    http.get(url("/api/me/payments"), () => json([{ ...PROMPT, state: "SUCCESS" }])),
  );
  await user().clear(form.getByLabelText("Amount (KSh)"));
  await user().type(form.getByLabelText("Amount (KSh)"), "300");
  await user().click(form.getByRole("button", { name: "Deposit" }));
  expect(await form.findByText("An earlier prompt is still open.")).toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await (await onPage()).findByText("Deposit successful: KSh 200 is in your wallet.")).toBeInTheDocument();
  expect(form.getByText("An earlier prompt is still open.")).toBeInTheDocument();
});

test("where its start was not answered the page tells of it, and asked for again on another page it is the same one", async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post(url("/api/deposits"), ({ request }) => {
      keys.push(request.headers.get("idempotency-key"));
      return keys.length === 1 ? noAnswer() : started();
    }),
    http.get(url("/api/deposits/status"), () => json({ success: true, status: "PENDING" })),
    http.get(url("/api/me/payments"), () => json(keys.length > 0 ? [PROMPT] : [])),
  );
  const { unmount } = openAt("/payment");
  const form = await ask();
  expect(await form.findByText(/ it is credited\. Trying again within five minutes sends no second one\.$/)).toBeInTheDocument();
  expect(await (await onPage()).findByText(/^Your payment of KSh 200 is not decided yet\./)).toBeInTheDocument();
  unmount();
  openAt("/payment");
  await (await ask()).findByText(/Prompt sent/);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("asked for again and paid meanwhile: it is said that it is the earlier one, for as long as anybody reads", async () => {
  let asked = 0;
  server.use(
    http.post(url("/api/deposits"), () => (++asked === 1 ? noAnswer() : started())),
    http.get(url("/api/deposits/status"), () => json({ success: true, status: "SUCCESS" })),
    http.get(url("/api/me/payments"), () => json([])),
  );
  const { unmount } = openAt("/payment");
  await (await ask()).findByText(/Trying again within five minutes sends no second one\.$/);
  unmount();
  openAt("/payment");
  const said = "Deposit successful. It is the one that you had asked for before. To deposit the same once more, ask again.";
  expect(await (await ask()).findByText(said, undefined, { timeout: 8_000 })).toBeInTheDocument();
});
