import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { gameweeksQuery, moneyMoved, paymentsQuery } from "../../api/queries";
import { Notice } from "../../components/Notice";
import { SomethingWrong } from "../../components/SomethingWrong";
import { isSeen, markSeen, usePromptMarks } from "../../lib/prompts";
import { useTooLate } from "../../lib/too-late";
import { outcomeOf, type Prompt } from "./outcome";
import styles from "./PromptList.module.css";
import { msg } from "../../lib/i18n";

const SOON_MS = 5_000;
const LATER_MS = 60_000;
/** Two minutes of asking often; then M-Pesa is late, and data is prepaid. */
const OFTEN = 24;

const isPending = ({ state }: Prompt) => state === "PENDING";

type Status = Parameters<typeof useTooLate>[0];

/**
 * The prompts of the last day whose outcome the player has not seen: decided after the page was closed, or
 * not decided yet. What another part of the page waits for is that part's to show.
 */
export function PromptList({ status }: { status: Status }) {
  const client = useQueryClient();
  const marks = usePromptMarks();
  const unseen = (prompts: readonly Prompt[] | undefined) =>
    prompts?.filter((prompt, i) => !marks.watched.has(prompt.checkoutId) && !isSeen(marks, prompt) && !isMadeGood(prompt, prompts.slice(0, i))) ?? [];
  const { data } = useQuery({
    ...paymentsQuery,
    refetchInterval: ({ state }) => {
      if (!unseen(state.data).some(isPending)) return false;
      return state.dataUpdateCount < OFTEN ? SOON_MS : LATER_MS;
    },
  });
  const shown = unseen(data);
  const tooLate = useTooLate(status, useDeadlineBefore(status, shown));

  const arrived = shown.filter(({ state }) => state === "SUCCESS").length;
  useEffect(() => {
    if (arrived === 0) return;
    void moneyMoved(client);
  }, [arrived, client]);

  if (shown.length === 0) return null;
  const decided = shown.filter((prompt) => !isPending(prompt));
  return (
    <section className={styles.prompts} aria-label={msg("Your M-Pesa payments")}>
      {shown.map((prompt) => (
        <Notice key={prompt.checkoutId} tone={toneOf(prompt)}>
          <span className={styles.body}>{outcomeOf(prompt, tooLate(prompt.entryGameweek))}</span>
          {toneOf(prompt) !== "success" && <SomethingWrong kind="payment" id={prompt.checkoutId} />}
        </Notice>
      ))}
      {decided.length > 0 && (
        <Button size="small" onClick={() => markSeen(...decided)}>{msg("Got it")}</Button>
      )}
    </section>
  );
}

/** The deadline of the gameweek before the current one: asked for only where a payment for a former gameweek is not decided. */
function useDeadlineBefore(status: Status, shown: readonly Prompt[]): string | undefined {
  const current = status?.gameweek ?? 0;
  const enabled = shown.some((prompt) => isPending(prompt) && (prompt.entryGameweek ?? current) < current);
  const { data } = useQuery({ ...gameweeksQuery, enabled });
  return data?.find(({ number }) => number === current - 1)?.deadline;
}

/** A failure that a later payment for an entry has made good is no news any more. */
const isMadeGood = ({ state, entryAmount }: Prompt, later: readonly Prompt[]) =>
  state === "FAILED" && Boolean(entryAmount) && later.some((prompt) => prompt.entered);

function toneOf({ state, entryAmount, entered }: Prompt) {
  if (state === "PENDING") return "info";
  if (state === "FAILED") return "error";
  return entryAmount && !entered ? "warning" : "success";
}
