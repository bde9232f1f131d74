import type { Schemas } from "../../api/client";
import { answerInWords, tellsWhere } from "../../api/refusal";
import { beingLookedAt, tellsHowMuch } from "../../api/set-aside";
import { ksh } from "../../lib/money";
import { sentences } from "../../lib/sentences";
import { exciseInWords } from "../../lib/tax";
import { tooLateInWords } from "../../lib/too-late";
import { msg, str } from "../../lib/i18n";

export type Prompt = Schemas["Prompt"];

/** What came of a prompt and of its money, for somebody who was away meanwhile. `tooLate`: it makes no entry any more. */
export function outcomeOf({ state, amount, credited, tax, entryAmount, entered, reason }: Prompt, tooLate: boolean): string {
  const taxed = credited ?? amount;
  if (state === "PENDING" && reason) return beingLookedAt(amount, reason);
  if (state === "PENDING" && entryAmount && tooLate) return tooLateInWords(amount);
  if (state === "PENDING") {
    return msg(str`Your payment of ${ksh(amount)} is not decided yet. If your phone shows M-Pesa's prompt, enter your PIN.`);
  }
  if (state === "FAILED") return sentences(msg(str`Your payment of ${ksh(amount)} failed.`), answerInWords(reason), msg("No entry and no deposit was made."));
  // Credited by its code, or by a person who looked into it, maybe another amount; or a debt was paid of it. The reason says how much.
  if (!entryAmount && reason) {
    const excise = /gone towards/.test(reason) ? exciseInWords(taxed, tax) : null;
    return sentences(msg(str`Your payment of ${ksh(amount)} arrived.`), answerInWords(reason), excise);
  }
  if (!entryAmount) {
    return sentences(msg(str`Deposit successful: ${ksh(amount - (tax?.amount ?? 0))} is in your wallet.`), exciseInWords(taxed, tax));
  }
  if (entered) return msg(str`Your payment of ${ksh(amount)} arrived and paid for your entry.`);
  const where = tellsWhere(reason) ? null : msg("The money is in your wallet.");
  return sentences(msg(str`Your payment of ${ksh(amount)} arrived, but made no entry.`), answerInWords(reason), where, exciseInWords(taxed, tellsHowMuch(reason) ? null : tax));
}
