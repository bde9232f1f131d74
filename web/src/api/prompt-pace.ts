/**
 * For two minutes after a payment M-Pesa refuses the same amount from the same phone (result code 17). Who tries again
 * sooner is told when, by the product's clock, and how to pay meanwhile, instead of being sent into a refusal.
 */
import type { QueryClient } from "@tanstack/react-query";
import { productNow } from "../lib/clock";
import { ksh } from "../lib/money";
import { timeLeft } from "../lib/time";
import type { Schemas } from "./client";
import { gameweekStatusQuery, paymentsQuery, userQuery } from "./queries";
import { msg, str } from "../lib/i18n";

/** What to say, and how to pay by hand where that is known. */
type TooSoon = { text: string; money: string; paybill?: Schemas["User"]["paybill"] };

const PAUSE_MS = 120_000;
const KEY = "lastPrompt";

type Sent = { checkoutId: string; phone: string; amount: number; atMs: number };

function lastSent(): Sent | null {
  const text = sessionStorage.getItem(KEY);
  return text ? (JSON.parse(text) as Sent) : null;
}

/** A prompt of this amount (KES) has just been sent to this phone. */
export async function notePrompt(client: QueryClient, prompt: Omit<Sent, "atMs">): Promise<void> {
  const status = await client.fetchQuery(gameweekStatusQuery).catch(() => null);
  if (!status) return;
  const sent: Sent = { ...prompt, atMs: productNow(status.clock) };
  sessionStorage.setItem(KEY, JSON.stringify(sent));
}

/** A failure starts no pause, unless it is the pause's own: then there was a payment, and the server's words say so. */
const startsNone = ({ state, reason }: Schemas["Prompt"]) => state === "FAILED" && !/twice within two minutes/.test(reason ?? "");

/** When the same can be tried again, and the way that is left; null where it can be now, or where nobody can say. */
export async function tooSoon(client: QueryClient, phone: string, amount: number): Promise<TooSoon | null> {
  const sent = lastSent();
  if (!sent || sent.phone !== phone || sent.amount !== amount) return null;
  const status = await client.fetchQuery({ ...gameweekStatusQuery, staleTime: 0 }).catch(() => null);
  if (!status) return null;
  const left = sent.atMs + PAUSE_MS - productNow(status.clock);
  if (left <= 0 || left > PAUSE_MS) return null;
  const prompts = await client.fetchQuery(paymentsQuery).catch(() => null);
  if (!prompts || prompts.some((prompt) => prompt.checkoutId === sent.checkoutId && startsNone(prompt))) return null;
  const user = await client.ensureQueryData(userQuery).catch(() => null);
  return {
    text: msg(str`M-Pesa takes ${ksh(amount)} from the same phone only once in two minutes. You can try again in ${timeLeft(left)}.`),
    // What came of the first one may not be known yet.
    money: msg("No second prompt was sent."),
    ...(user && { paybill: user.paybill }),
  };
}
