import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { answerInWords, Refusal } from "../../api/refusal";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import { msg, str } from "../../lib/i18n";
import { eastAfricaTime } from "../../lib/time";
import { caseQuery, stateOf, titleOf, writeToCase, type Thread } from "./cases";
import styles from "./Cases.module.css";
import { WriteCase } from "./WriteCase";

/** One case of the player's, with everything that was written in it. */
export function CaseThread({ id }: { id: string }) {
  const { data, error, isError, refetch } = useQuery(caseQuery(id));
  if (data) return <Whole thread={data} />;
  if (error instanceof Refusal && error.status === 404) return <p>{msg("There is no such case.")}</p>;
  if (isError) return <ErrorState text={msg("Your case could not be read just now.")} onRetry={() => void refetch()} />;
  return <Skeleton height="20rem" />;
}

function Whole({ thread }: { thread: Thread }) {
  const client = useQueryClient();
  const { _id, known, reason, state } = thread;
  const label = state === "closed" ? msg("Write again: this opens the case, for 14 days after it was closed") : msg("Write to us");
  return (
    <Card title={titleOf(thread)}>
      <p>
        <b>{stateOf(thread)}</b>
      </p>
      {reason && <p>{msg(str`Reason: ${answerInWords(reason) ?? ""}`)}</p>}
      {known.receipt && <p className="quiet small">{msg(str`Receipt ${known.receipt}`)}</p>}
      {known.league && known.settledAt && (
        <Link className="link-row small" to={`/leagues/${known.league}/settlement`}>{msg("How it was settled")}</Link>
      )}
      <ol className={styles.thread}>
        {thread.thread.map((message, at) => (
          <li key={`${at} ${message.at}`} data-by={message.by}>
            <span className="quiet small">
              {message.by === "admin" ? "FPL Leagues" : msg("You")} · {eastAfricaTime(new Date(message.at))}
            </span>
            {message.text && <span className={styles.text}>{message.text}</span>}
            {message.closes && <span className={styles.text}>{msg(str`Closed: ${message.closes}`)}</span>}
          </li>
        ))}
      </ol>
      <WriteCase
        label={label}
        send={async (text, key) => {
          client.setQueryData(caseQuery(_id).queryKey, await writeToCase(_id, { text }, key));
        }}
      />
    </Card>
  );
}
