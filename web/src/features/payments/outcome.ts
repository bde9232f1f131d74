import type { Schemas } from "../../api/client";
import { ksh } from "../../lib/money";

export type Prompt = Schemas["Prompt"];

/** What came of a prompt and of its money, for somebody who was away meanwhile. */
export function outcomeOf({ state, amount, entryAmount, entered, reason }: Prompt): string {
  if (state === "PENDING") {
    return `Your payment of ${ksh(amount)} is not decided yet. If your phone shows M-Pesa's prompt, enter your PIN.`;
  }
  if (state === "FAILED") return sentences(`Your payment of ${ksh(amount)} failed.`, reason, "No entry and no deposit was made.");
  if (!entryAmount) return `Deposit successful: ${ksh(amount)} is in your wallet.`;
  if (entered) return `Your payment of ${ksh(amount)} arrived, and you are in.`;
  const told = reason?.includes("in your wallet");
  return sentences(`Your payment of ${ksh(amount)} arrived, but made no entry.`, reason, told ? null : "The money is in your wallet.");
}

const sentences = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(" ");
