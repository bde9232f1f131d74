/**
 * What came of a call that was not taken. A refusal is the server's no, with its own words where
 * it gave some; anything else thrown means that no answer came.
 */

import { msg, serverWords } from "../lib/i18n";

type Paybill = { number: string; account: string };

export class Refusal extends Error {
  // Declared alone: the oldest browsers have no fields, and what stands for them would be in every first visit.
  declare readonly status: number;
  /** The server's message, in English, or null where it gave none. */
  declare readonly told: string | null;
  /** Which rule refused, where the server names it. */
  declare readonly code: string | null;
  /** Whether it said when the same call may come again (`Retry-After`). */
  declare readonly comesAgain: boolean;
  /** Where to pay by hand instead, where the refusal names it. */
  declare readonly paybill: Paybill | null;

  constructor(status: number, told: string | null, comesAgain = false, paybill: Paybill | null = null, code: string | null = null) {
    super(told ?? `refused with ${status}`);
    this.status = status;
    this.told = told;
    this.comesAgain = comesAgain;
    this.paybill = paybill;
    this.code = code;
  }

  /** The server's no in the reader's language, else as the server has it. */
  get said(): string | null {
    return wordsOf(this.code, this.told) ?? this.told;
  }
}

export type Result<T> = { data?: T; error?: unknown; response: Response };

/** A sentence of the server's that is no refusal, in the reader's language where that knows it. */
export const answerInWords = (text: string | null | undefined) => (text ? (serverWords()?.sentence(text) ?? text) : text);

/** Whether the server's own words say where a payment's money is. */
export const tellsWhere = (told: string | null | undefined) => /in your wallet|gone towards|credited to you/.test(told ?? "");

/** What the server says of something that went well: its own words in English, else ours. */
export const answered = (told: string | null | undefined, ours: string) => (told && !serverWords() ? told : ours);

/** The answer's body, or a Refusal. */
export async function answerOf<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) {
    throw new Refusal(response.status, messageIn(error), response.headers.has("retry-after"), paybillOf(error), codeIn(error));
  }
  return data as T;
}

const wordsOf = (code: string | null, told: string | null) => (code === null ? null : (serverWords()?.refusal(code, told) ?? null));

function codeIn(body: unknown): string | null {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : null;
}

/** What a refusal's body says, in the reader's language. */
export const saidIn = (body: unknown) => wordsOf(codeIn(body), messageIn(body)) ?? messageIn(body);

function messageIn(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  // One call says it in `error` (spec §7).
  const { message, error } = body as { message?: unknown; error?: unknown };
  return [message, error].find((text): text is string => typeof text === "string" && text !== "") ?? null;
}

function paybillOf(body: unknown): Paybill | null {
  if (typeof body !== "object" || body === null) return null;
  const { number, account } = (body as { paybill?: Partial<Paybill> | null }).paybill ?? {};
  return number && account ? { number, account } : null;
}

/** The way that is left where no prompt is sent. */
export const paybillIn = (error: unknown): { paybill?: Paybill } =>
  error instanceof Refusal && error.paybill ? { paybill: error.paybill } : {};

/**
 * Whether the server's no is certain: after anything else it may have been done. A 5xx may have been a gateway's reply to
 * work that was done, and a 409 that says when to come again is about this very call, which is still under way.
 */
export const isCertain = (error: unknown) =>
  error instanceof Refusal && error.status < 500 && !(error.status === 409 && error.comesAgain);

/** Whether a code of the second factor is wanted, or another one. */
export const asksForCode = (error: unknown) =>
  error instanceof Refusal && (error.code === "code_wanted" || error.code === "wrong_code");

/** The text to show: the server's own, `refused` where it gave none, `failed` where no answer came. */
export function explain(error: unknown, texts: { refused: string; failed: string }): string {
  if (!(error instanceof Refusal)) return texts.failed;
  return error.said ?? texts.refused;
}

/** The spec's text, and after it the server's reason where there is one. */
export function withReason(text: string, reason: string | null | undefined): string {
  const again = msg("Please try again.");
  // Asked for once is enough.
  const said = answerInWords(reason);
  const own = text.includes(again) ? said?.replace(again, "").trim() : said;
  return own && own !== text ? `${text} ${own}` : text;
}
