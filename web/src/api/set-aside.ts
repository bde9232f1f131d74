/** Payments that are set aside: what is said of them, and of what a person or a code makes of them. */
import { msg, str } from "../lib/i18n";
import { ksh } from "../lib/money";
import { sentences } from "../lib/sentences";
import { answerInWords } from "./refusal";

/** What is said of one, and why it is set aside where that is told beside it. */
export const beingLookedAt = (amount: number, reason?: string) =>
  sentences(msg(str`Your payment of ${unbroken(ksh(amount))} is being looked at by a person. Do not pay again.`), answerInWords(reason));

const unbroken = (words: string) => words.replace(" ", "\u00a0");

/** Whether the server's words say by what a payment was credited: it may have been another amount than was asked for. */
export const tellsHowMuch = (told: string | null | undefined) => /credited/.test(told ?? "");
