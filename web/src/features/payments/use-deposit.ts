import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from "react";
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
import { sentences } from "../../lib/sentences";
import { currentSession } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";

/** How a deposit stands (spec §4 "Deposit"). */
export type DepositState =
  | { step: "idle" }
  /**
   * `earlier`: its dialog was closed since. `late`: it takes so long that another one may be asked for. `aside`: what is said
   * where it is set aside: a person decides, and nothing is to be done on the phone.
   */
  | { step: "sent"; checkoutId: string; message: string; earlier?: true; late?: true; aside?: string }
  /** `told`: what the server says beside it: that it paid a debt, or what a person has made of it. */
  | { step: "done"; told: string | null }
  | { step: "failed"; trouble: Trouble };

const POLL_MS = 5_000;
const RELOAD_MS = 2_000;
/** When M-Pesa takes the same amount from the same phone again (`api/prompt-pace.ts`), and a little more. */
const LATE_MS = 125_000;

/** What a dialog that is closed goes on from: only what is not decided yet is told when it is opened again. */
const closed = (state: DepositState): DepositState => (state.step === "sent" ? { ...state, earlier: true } : { step: "idle" });

/** Of a prompt, while it is the one that is waited for. */
const noted = (checkoutId: string, what: { late: true } | { aside: string }) => (now: DepositState): DepositState =>
  now.step === "sent" && now.checkoutId === checkoutId ? { ...now, ...what } : now;

/**
 * A deposit by prompt. After the prompt is sent it is asked about every 5 s for as long as the page
 * stands; only SUCCESS and FAILED end that, everything else is quiet. What comes of it while its dialog is
 * not `shown` is left to be told elsewhere.
 */
export function useDeposit(shown: boolean) {
  const client = useQueryClient();
  const [state, setState] = useState<DepositState>({ step: "idle" });
  const { busy, submit } = useSubmit();
  const key = useRef(new SubmitKey("deposit"));
  const newWatch = useWatches();
  const visible = useRef(shown);
  /** The prompt that the dialog tells of: none while another one is asked for. */
  const told = useRef<string>(null);
  useEffect(() => void (visible.current = shown), [shown]);
  const [wasShown, setWasShown] = useState(shown);
  if (wasShown !== shown) {
    setWasShown(shown);
    if (!shown) setState(closed);
  }

  const fail = (trouble: Trouble) => setState({ step: "failed", trouble });
  useLate(state, setState);
  useToldHere(state, shown);
  const aside = useAside(state, shown);

  const watch = async (checkoutId: string, amount: number, again: boolean) => {
    const signal = newWatch();
    const ask = async (asking: AbortSignal) => {
      const answer = await askDeposit(checkoutId, asking);
      if (answer.status !== "PENDING") return answer;
      const { message } = answer;
      if (message && !asking.aborted) setState(noted(checkoutId, { aside: beingLookedAt(amount, message) }));
      return null;
    };
    const answer = await poll({ ask, everyMs: POLL_MS, signal });
    const seen = visible.current && told.current === checkoutId;
    // What the server says beside it is told on the page as well: this dialog goes with the reload.
    if (answer && seen && !(answer.status === "SUCCESS" && answer.message)) markSeen({ checkoutId, state: answer.status });
    if (!answer) return;
    if (!seen) setState((now) => (now.step === "sent" && now.checkoutId === checkoutId ? { step: "idle" } : now));
    if (answer.status === "FAILED") {
      void client.invalidateQueries({ queryKey: paymentsQuery.queryKey });
      if (!seen) return;
      return fail({
        text: withReason(msg("Payment failed. Please try again."), answer.message),
        money: msg("You were not charged. If M-Pesa took money all the same, it comes to your wallet."),
      });
    }
    if (seen) setState({ step: "done", told: sentences(answerInWords(answer.message), again ? sentBefore() : null) });
    await moneyMoved(client);
    // Who has closed the dialog is doing something else by then: the wallet is right without a reload.
    if (seen && !again && !signal.aborted) setTimeout(() => visible.current && reloadPage(), RELOAD_MS);
  };

  const deposit = (phone: string, amount: number) =>
    submit(async () => {
      const wait = await tooSoon(client, phone, amount);
      if (wait) return fail(wait);
      setState({ step: "idle" });
      told.current = null;
      const again = key.current.unanswered(bodyOf(phone, amount)) !== undefined;
      try {
        const started = await startDeposit(key.current, phone, amount);
        if (!started.success || !started.checkoutId) {
          return fail({ text: answered(started.message, msg("Failed to start deposit")), money: notCharged() });
        }
        const { checkoutId } = started;
        told.current = checkoutId;
        rememberPhone(phone);
        void notePrompt(client, { checkoutId, phone, amount });
        setState({ step: "sent", checkoutId, message: answered(started.message, msg("Check your phone to complete the payment")) });
        void watch(checkoutId, amount, again);
      } catch (error) {
        // It may have been sent: then the page tells what comes of it.
        void client.invalidateQueries({ queryKey: paymentsQuery.queryKey });
        const text = explain(error, { refused: msg("Failed to start deposit"), failed: msg("Server error") });
        fail({ text, ...moneyAfterRefusal(error, perhapsSent(key.current, phone, amount)), ...paybillIn(error) });
      }
    });

  return { state, aside, isAside: state.step === "sent" && state.aside !== undefined, busy, deposit };
}

/** Gives each prompt's watch its signal: a later one does not end an earlier one, and all end with the page. */
function useWatches() {
  const watches = useRef(new Set<AbortController>());
  useEffect(() => {
    const all = watches.current;
    return () => all.forEach((watch) => watch.abort());
  }, []);
  return () => {
    const watch = new AbortController();
    watches.current.add(watch);
    return watch.signal;
  };
}

/** Lets another one be asked for once this one has been waited for so long. */
function useLate(state: DepositState, setState: Dispatch<SetStateAction<DepositState>>) {
  const sent = state.step === "sent" ? state.checkoutId : null;
  useEffect(() => {
    if (sent === null) return;
    const timer = setTimeout(() => setState(noted(sent, { late: true })), LATE_MS);
    return () => clearTimeout(timer);
  }, [sent, setState]);
}

/** While the dialog tells of a prompt the page does not. It does of one that is set aside, and of any once the dialog is closed. */
function useToldHere(state: DepositState, shown: boolean) {
  const client = useQueryClient();
  const here = shown && state.step === "sent" && !state.aside ? state.checkoutId : null;
  useEffect(() => {
    if (here === null) return;
    const unwatch = watchPrompt(here);
    return () => {
      unwatch();
      void client.invalidateQueries({ queryKey: paymentsQuery.queryKey });
    };
  }, [client, here]);
}

/** What is said of a deposit that is set aside, also of one that was asked for on another page, or before this one was loaded. */
function useAside(state: DepositState, shown: boolean): string | null {
  const { data } = useQuery({ ...paymentsQuery, enabled: shown });
  if (state.step === "done" || state.step === "failed") return null;
  if (state.step === "sent" && state.aside) return state.aside;
  const aside = data?.find(({ state, reason, entryAmount }) => state === "PENDING" && reason && !entryAmount);
  return aside ? beingLookedAt(aside.amount, aside.reason ?? undefined) : null;
}

const bodyOf = (phone: string, amount: number) => ({ phone, amount, userId: currentSession()?.userId ?? "" });

const sentBefore = () => msg("It is the one that you had asked for before. To deposit the same once more, ask again.");

/** What holds where the answer was lost: of the prompt, and of another try. */
const perhapsSent = (key: SubmitKey, phone: string, amount: number) =>
  sentences(
    msg("If a prompt comes all the same, you can pay it: it is credited."),
    key.promises(bodyOf(phone, amount)) ? msg("Trying again within five minutes sends no second one.") : null,
  );

function startDeposit(key: SubmitKey, phone: string, amount: number) {
  const body = bodyOf(phone, amount);
  return key.submit(body, (idempotencyKey) =>
    answerOf(api.POST("/api/deposits", { body, headers: { "Idempotency-Key": idempotencyKey } })),
  );
}

const askDeposit = (checkoutId: string, signal: AbortSignal) =>
  answerOf(api.GET("/api/deposits/status", { params: { query: { checkoutId } }, signal }));
