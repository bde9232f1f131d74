/** Prompts in the tests: timers that go as fast as they can, and what the calls about a prompt answer. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { vi } from "vitest";
import { openAt } from "./app";
import { json, server, url } from "./server";

/** What is shown is what matters in these tests; the pace is poll.test.ts's. */
export const fastTimers = () =>
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true, advanceTimeDelta: 1 });

export const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

/** The status call answers these in turn, then goes on with the last. */
export function statuses(path: string, ...answers: string[]) {
  const asked = vi.fn();
  server.use(
    http.get(url(path), ({ request }) => {
      asked(new URL(request.url).searchParams.get("checkoutId"));
      return json({ success: true, status: answers.length > 1 ? answers.shift() : answers[0] });
    }),
  );
  return asked;
}

export const started = () => json({ success: true, checkoutId: "c1", message: "Prompt sent" });

/** Chooses an amount and asks for the prompt. `paid`: what M-Pesa takes, with the excise. */
export async function payFor(amount: number, phone = "0712345678", paid = amount) {
  openAt("/payment");
  await user().click(await screen.findByRole("button", { name: `KSh ${amount}` }));
  const dialog = within(await screen.findByRole("dialog", { name: `Pay KSh ${paid}` }));
  await user().type(dialog.getByLabelText("Phone number"), phone);
  await user().click(dialog.getByRole("button", { name: "Pay Now" }));
  return dialog;
}
