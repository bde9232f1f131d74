import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, type Schemas } from "../../api/client";
import { notePrompt, tooSoon } from "../../api/prompt-pace";
import { isNotSent, moneyAfterRefusal, notCharged } from "../../api/prompt-refusal";
import { currentGameweekQuery, moneyMoved, userQuery } from "../../api/queries";
import { answered, answerOf, explain, isCertain, paybillIn, Refusal, tellsWhere, withReason } from "../../api/refusal";
import { beingLookedAt, tellsHowMuch } from "../../api/set-aside";
import { SubmitKey } from "../../api/submit-key";
import { useExcise } from "../../api/use-excise";
import type { Trouble } from "../../components/Problem";
import { rememberPhone } from "../../lib/phone";
import { poll } from "../../lib/poll";
import { markSeen, watchPrompt } from "../../lib/prompts";
import { sentences } from "../../lib/sentences";
import { currentSession, storeJoin } from "../../lib/session";
import { exciseInWords } from "../../lib/tax";
import { useSubmit } from "../../lib/use-submit";
import { joinLeague, unknownGameweek, type Join } from "./join";
import { msg } from "../../lib/i18n";

/** Where a payment by prompt is (spec §4 "Payment by prompt"). */
export type PromptStep = "idle" | "initiating" | "waiting" | "joining";

/** What is asked of which phone, in KES. */
export type Paying = { phone: string; amount: number };

const POLL_MS = 5_000;
const POLLS = 12;

/** An entry paid by a prompt on the phone: initiate, wait for the payment, join. */
export function usePromptEntry(onJoined: (paid: number) => void) {
  const client = useQueryClient();
  const percent = useExcise();
  const [step, setStep] = useState<PromptStep>("idle");
  const [problem, setProblem] = useState<Trouble>();
  const [paying, setPaying] = useState<Paying>();
  const { busy, submit } = useSubmit();
  const key = useRef(new SubmitKey("pay"));
  const life = useRef<AbortController>(null);
  useEffect(() => () => life.current?.abort(), []);

  /** `paid`: what M-Pesa takes, as it was shown. */
  const pay = (phone: string, entryAmount: number, paid: number) =>
    submit(async () => {
      setProblem(undefined);
      setStep("initiating");
      setPaying({ phone, amount: paid });
      const { signal } = (life.current = new AbortController());
      const stopFor = (trouble: Trouble) => {
        setStep("idle");
        setProblem(trouble);
      };
      const stop = (text: string, money?: string) => stopFor(money ? { text, money } : { text });

      const wait = await tooSoon(client, phone, paid);
      if (wait) return stopFor(wait);
      const { gameweek, user, fplId } = await readAhead(client);
      if (gameweek === null) return stop(`${unknownGameweek()} ${msg("Try again.")}`, notCharged());

      const started = await initiate(key.current, { phone, entryAmount, paid, fplId, gameweek, user });
      if ("text" in started) {
        // It may be refused because of what another phone has done.
        void moneyMoved(client);
        return stopFor(started);
      }
      const { checkoutId } = started;
      rememberPhone(phone);
      void notePrompt(client, { checkoutId, phone, amount: paid });

      setStep("waiting");
      const unwatch = watchPrompt(checkoutId);
      try {
        const answer = await poll({ ask: (s) => askPayment(checkoutId, s), everyMs: POLL_MS, attempts: POLLS, signal });
        if (signal.aborted) return;
        if (answer === null) {
          void moneyMoved(client);
          return stop(
            msg("Payment confirmation taking too long. Please check later."),
            msg("If you have paid, you are in as soon as M-Pesa confirms it. What comes of it is shown on this page."),
          );
        }
        if (answer.status === "PENDING") {
          void moneyMoved(client);
          return stop(beingLookedAt(paid, answer.message));
        }
        if (answer.status === "FAILED") {
          markSeen({ checkoutId, state: answer.status });
          return stop(
            withReason(msg("Payment failed. Please try again."), answer.message),
            msg("You were not charged. If M-Pesa took money all the same, you are in, or it comes to your wallet."),
          );
        }
        setStep("joining");
        const refused = await join({ fplId, entryAmount, gameweek, checkoutId }, answer.entered, exciseOf(entryAmount, paid, percent));
        await moneyMoved(client);
        // What became of the money is told on the page as well, until the player has seen it there.
        if (refused) return stop(refused.text, refused.money);
        markSeen({ checkoutId, state: answer.status });
        onJoined(entryAmount);
      } finally {
        unwatch();
      }
    });

  return { step, busy, problem, paying, pay, forget: () => setProblem(undefined) };
}

/** The gameweek, null where it is not known, and the account as it is now: its team may have been changed elsewhere. */
async function readAhead(client: QueryClient) {
  const [gameweek, user] = await Promise.all([
    client.fetchQuery({ ...currentGameweekQuery, staleTime: 0 }).catch(() => null),
    client.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => client.getQueryData(userQuery.queryKey)),
  ]);
  return { gameweek, user, fplId: user?.fplId ?? currentSession()?.fplId ?? "" };
}

type Started = { checkoutId: string } | Trouble;

type Asked = { phone: string; entryAmount: number; paid: number; fplId: string; gameweek: number; user: Schemas["User"] | undefined };

async function initiate(key: SubmitKey, { phone, entryAmount, paid, fplId, gameweek, user }: Asked): Promise<Started> {
  const byHand = user && { paybill: user.paybill };
  const body = { phone, amount: paid, fplId, entryAmount, gameweek };
  try {
    const answer = await key.submit(body, (idempotencyKey) =>
      answerOf(api.POST("/api/pay", { body, headers: { "Idempotency-Key": idempotencyKey } })),
    );
    return answer.success && answer.checkoutId
      ? { checkoutId: answer.checkoutId }
      : { text: answered(answer.message, msg("Payment initiation failed")), money: notCharged(), ...byHand };
  } catch (error) {
    const text = explain(error, { refused: msg("Payment initiation failed"), failed: msg("Error initiating payment") });
    const perhapsSent = sentences(
      msg("If a prompt comes all the same, you can pay it: it counts."),
      key.promises(body) ? msg("Trying again within five minutes sends no second one.") : null,
    );
    return { text, ...moneyAfterRefusal(error, perhapsSent), ...(isNotSent(error) && byHand), ...paybillIn(error) };
  }
}

async function askPayment(checkoutId: string, signal: AbortSignal) {
  const answer = await answerOf(api.GET("/api/pay/status", { params: { query: { checkoutId } }, signal }));
  const { status, message } = answer;
  if (status === "SUCCESS" || status === "FAILED") return { status, message, entered: answer.entered };
  // It is set aside: a person decides, and the server says why.
  return status === "PENDING" && message ? { status, message, entered: false } : null;
}

/** The excise in what was paid, in words; `null` where there is none. */
const exciseOf = (entryAmount: number, paid: number, percent: number | null) =>
  exciseInWords(paid, percent !== null && paid > entryAmount ? { percent, amount: paid - entryAmount } : null);

/** The entry that was paid for; where it cannot be made, what to say. `entered`: the payment has made it already. */
async function join(joining: Join, entered: boolean | undefined, excise: string | null): Promise<Trouble | null> {
  try {
    await joinLeague(joining);
    return null;
  } catch (error) {
    if (!entered || isCertain(error)) return notJoined(error, excise);
    storeJoin(joining.entryAmount, joining.gameweek);
    return null;
  }
}

/** Paid but not in a league, or nobody knows: where the money is, unless the server's words say it. */
function notJoined(error: unknown, excise: string | null): Trouble {
  const text = explain(error, { refused: failedToJoin(), failed: failedToJoin() });
  const told = error instanceof Refusal ? error.told : null;
  if (tellsWhere(told)) return { text, ...(excise && !tellsHowMuch(told) && { money: excise }) };
  return { text, money: sentences(msg("Your payment is safe: it is in your wallet, or you are in. View Leagues shows it."), excise) };
}

const failedToJoin = () => msg("Payment succeeded but failed to join league");
