/** What to say of the money where no prompt came of a call. */
import type { Schemas } from "./client";
import { isCertain, Refusal } from "./refusal";
import { msg } from "../lib/i18n";


/** Their own words say it: nothing was taken, or an earlier prompt is open, which may be paid. */
const SAY_IT: ReadonlySet<string> = new Set(["payment_still_open", "phone_busy", "mpesa_busy"] satisfies Schemas["RefusalCode"][]);

const NOT_SENT: ReadonlySet<string> = new Set(["mpesa_refused", "phone_busy"] satisfies Schemas["RefusalCode"][]);

/** Whether it is the way to the phone that fails, and neither the player nor what was typed: another way to pay may go. */
export const isNotSent = (error: unknown) =>
  !(error instanceof Refusal) || error.status === 429 || error.status >= 500 || NOT_SENT.has(error.code ?? "");

/** `perhapsSent`: what holds where the answer was lost. Nothing where the server's own words say enough. */
export function moneyAfterRefusal(error: unknown, perhapsSent: string): { money?: string } {
  const code = error instanceof Refusal ? (error.code ?? "") : "";
  if (SAY_IT.has(code)) return {};
  // The phone may show it all the same, and the next try is a prompt of its own.
  if (code === "mpesa_not_answering") return { money: msg("Trying again sends another prompt: pay only one of them.") };
  return { money: isCertain(error) ? notCharged() : perhapsSent };
}

export const notCharged = () => msg("You were not charged.");
