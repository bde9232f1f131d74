import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client";
import { notePrompt, tooSoon } from "../../api/prompt-pace";
import { moneyAfterRefusal, notCharged } from "../../api/prompt-refusal";
import { moneyMoved, paymentsQuery } from "../../api/queries";
import { answered, answerInWords, answerOf, explain, paybillIn, withReason } from "../../api/refusal";
import { beingLookedAt } from "../../api/set-aside";
import { SubmitKey } from "../../api/submit-key";
import type { Trouble } from "../../components/Problem";
import { reloadPage } from "../../lib/page";
import { rememberPhone } from "../../lib/phone";
import { poll } from "../../lib/poll";
import { markSeen, watchPrompt } from "../../lib/prompts";
import { currentSession } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";

/** How a deposit stands (spec §4 "Deposit"). */
export type DepositState =
  | { step: "idle" }
  /** `earlier`: its dialog was closed since. */
  | { step: "sent"; message: string; earlier?: boolean }
  /** It is set aside: a person decides, and nothing is to be done on the phone. */
  | { step: "aside"; text: string }
  /** `told`: what the server says beside it: that it paid a debt, or what a person has made of it. */
  | { step: "done"; told: string | null }
  | { step: "failed"; trouble: Trouble };

const POLL_MS = 5_000;
const RELOAD_MS = 2_000;

/** What a dialog that is closed goes on from: only what is still awaited is told when it is opened again. */
const closed = (state: DepositState): DepositState => (state.step === "sent" ? { ...state, earlier: true } : { step: "idle" });

/**
 * A deposit by prompt. After the prompt is sent it is asked about every 5 s for as long as the page
 * stands; only SUCCESS and FAILED end that, everything else is quiet. What comes of it while its dialog is
 * not `shown` is left to be told elsewhere.
 */
export function useDeposit(shown: boolean) {
  const client = useQueryClient();
  const [state, setState] = useState<DepositState>({ step: "idle" });
  const { busy, submit } = useSubmit();
  const key = useRef(new SubmitKey());
  const watching = useRef<AbortController>(null);
  const visible = useRef(shown);
  useEffect(() => void (visible.current = shown), [shown]);
  const [wasShown, setWasShown] = useState(shown);
  if (wasShown !== shown) {
    setWasShown(shown);
    if (!shown) setState(closed);
  }
  useEffect(() => () => watching.current?.abort(), []);

  const fail = (trouble: Trouble) => setState({ step: "failed", trouble });

  const watch = async (checkoutId: string, amount: number) => {
    watching.current?.abort();
    const { signal } = (watching.current = new AbortController());
    const unwatch = watchPrompt(checkoutId);
    const ask = async (asking: AbortSignal) => {
      const answer = await askDeposit(checkoutId, asking);
      if (answer.status !== "PENDING") return answer;
      const { message } = answer;
      if (message && visible.current && !asking.aborted) setState({ step: "aside", text: beingLookedAt(amount, message) });
      return null;
    };
    const answer = await poll({ ask, everyMs: POLL_MS, signal });
    const seen = visible.current;
    // What the server says beside it is told on the page as well: this dialog goes with the reload.
    if (answer && seen && !(answer.status === "SUCCESS" && answer.message)) markSeen({ checkoutId, state: answer.status });
    unwatch();
    if (!answer) return;
    if (!seen) setState({ step: "idle" });
    if (answer.status === "FAILED") {
      if (!seen) return void client.invalidateQueries({ queryKey: paymentsQuery.queryKey });
      return fail({
        text: withReason(msg("Payment failed. Please try again."), answer.message),
        money: msg("You were not charged. If M-Pesa took money all the same, it comes to your wallet."),
      });
    }
    if (seen) setState({ step: "done", told: answerInWords(answer.message) ?? null });
    await moneyMoved(client);
    // Who has closed the dialog is doing something else by then: the wallet is right without a reload.
    if (seen && !signal.aborted) setTimeout(() => visible.current && reloadPage(), RELOAD_MS);
  };

  const deposit = (phone: string, amount: number) =>
    submit(async () => {
      setState({ step: "idle" });
      const wait = await tooSoon(client, phone, amount);
      if (wait) return fail(wait);
      try {
        const started = await startDeposit(key.current, phone, amount);
        if (!started.success || !started.checkoutId) {
          return fail({ text: answered(started.message, msg("Failed to start deposit")), money: notCharged() });
        }
        rememberPhone(phone);
        void notePrompt(client, { checkoutId: started.checkoutId, phone, amount });
        setState({ step: "sent", message: answered(started.message, msg("Check your phone to complete the payment")) });
        void watch(started.checkoutId, amount);
      } catch (error) {
        const text = explain(error, { refused: msg("Failed to start deposit"), failed: msg("Server error") });
        const perhapsSent = msg("If a prompt comes all the same, you can pay it: it is credited. Trying again sends no second one.");
        fail({ text, ...moneyAfterRefusal(error, perhapsSent), ...paybillIn(error) });
      }
    });

  return { state, busy, deposit };
}

function startDeposit(key: SubmitKey, phone: string, amount: number) {
  const body = { phone, amount, userId: currentSession()?.userId ?? "" };
  return key.submit(body, (idempotencyKey) =>
    answerOf(api.POST("/api/deposits", { body, headers: { "Idempotency-Key": idempotencyKey } })),
  );
}

const askDeposit = (checkoutId: string, signal: AbortSignal) =>
  answerOf(api.GET("/api/deposits/status", { params: { query: { checkoutId } }, signal }));
