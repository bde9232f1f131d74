import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client";
import { moneyMoved } from "../../api/queries";
import { answered, answerOf, explain, isCertain } from "../../api/refusal";
import { SubmitKey } from "../../api/submit-key";
import { poll } from "../../lib/poll";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";

/** `id`: by which the code is known; `credited`: what it has brought, in KES, once it has: nothing where all of it paid a debt. */
export type CodeOutcome =
  | { done: string; code: string; id: string; credited?: number }
  | { problem: string; unanswered: boolean }
  | null;

// Most codes are credited within seconds; what takes a minute waits for a person.
const POLL_MS = 5_000;
const ATTEMPTS = 12;

/**
 * Sends a typed M-Pesa code in. Nothing is credited before it has been checked (spec §4): that is looked
 * for a while, also when its dialog is closed, and the balance is right as soon as the money is there.
 */
export function useTypedCode() {
  const client = useQueryClient();
  const key = useRef(new SubmitKey());
  const [outcome, setOutcome] = useState<CodeOutcome>(null);
  const { busy, submit } = useSubmit();
  const watching = useRef<AbortController>(null);
  useEffect(() => () => watching.current?.abort(), []);

  const watch = async (code: string) => {
    watching.current?.abort();
    const { signal } = (watching.current = new AbortController());
    const ask = (asking: AbortSignal) => creditOf(code, asking);
    const credited = (await ask(signal).catch(() => null)) ?? (await poll({ ask, everyMs: POLL_MS, attempts: ATTEMPTS, signal }));
    if (credited === null || signal.aborted) return;
    setOutcome((now) => (now && "code" in now && now.code === code ? { ...now, credited } : now));
    await moneyMoved(client);
  };

  const send = (mpesaCode: string) =>
    submit(async () => {
      setOutcome(null);
      const body = { mpesaCode };
      try {
        const answer = await key.current.submit(body, (idempotencyKey) =>
          answerOf(api.POST("/api/manual-payment", { body, headers: { "Idempotency-Key": idempotencyKey } })),
        );
        setOutcome({ done: answered(answer.message, msg("Success wallet updated shortly")), code: mpesaCode, id: answer._id });
        void watch(mpesaCode);
      } catch (error) {
        const wrong = msg("Submission went wrong");
        const problem = explain(error, { refused: wrong, failed: wrong });
        setOutcome({ problem, unanswered: !isCertain(error) });
      }
    });

  return { outcome, busy, send, forget: () => setOutcome(null) };
}

/** What a code has brought to the wallet, in KES: it is the posting's receipt, and pays a debt first. Null before it has. */
async function creditOf(code: string, signal: AbortSignal): Promise<number | null> {
  const postings = await answerOf(api.GET("/api/me/transactions", { signal }));
  const credit = postings.find(({ receipt }) => receipt === code);
  if (!credit) return null;
  const debtPaid = postings.find(({ _id }) => _id === `debt-paid#${credit._id}`);
  return credit.amount + (debtPaid?.amount ?? 0);
}
