import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { SubmitKey } from "../../../api/submit-key";
import { Card } from "../../../components/Card";
import { ErrorState } from "../../../components/ErrorState";
import { Field } from "../../../components/Field";
import { Skeleton } from "../../../components/Skeleton";
import { TextBox } from "../../../components/TextBox";
import { ksh } from "../../../lib/money";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { Stale } from "../../../panel/Stale";
import { useAct } from "../../../panel/use-act";
import cases from "../Cases.module.css";
import { LONGEST_TEXT, type Thread } from "../cases";
import { useAnswerDraft } from "./answer-draft";
import { aboutOf, answerCase, stateInWords, threadQuery, waitingCasesQuery } from "./cases";

const LONGEST_REASON = 200;

/** One case with everything that is known and was written, and the form to answer or close it. */
export function CaseAnswer({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(threadQuery(id));
  if (data)
    return (
      <>
        {isError && <Stale />}
        <Whole thread={data} />
      </>
    );
  if (isError) return <ErrorState text="The case could not be read just now." onRetry={() => void refetch()} />;
  return <Skeleton height="20rem" />;
}

function Whole({ thread }: { thread: Thread }) {
  // Here, as the form is gone once the case is closed.
  const acting = useAct();
  return (
    <Card title={aboutOf(thread)}>
      <p>
        <Link to={`/panel/players/${thread.userId}`}>{thread.username}</Link> · {stateInWords(thread)}
      </p>
      <Known thread={thread} />
      <ol className={cases.thread}>
        {thread.thread.map((message, at) => (
          <li key={`${at} ${message.at}`} data-by={message.by}>
            <span className="quiet small">
              {message.by === "admin" ? "Admin" : thread.username} · {eastAfricaTime(new Date(message.at))}
            </span>
            {message.text && <span className={cases.text}>{message.text}</span>}
            {message.closes && <span className={cases.text}>Closed: {message.closes}</span>}
          </li>
        ))}
      </ol>
      <ActNotice outcome={acting.outcome} />
      {thread.state !== "closed" && <Answer thread={thread} acting={acting} />}
    </Card>
  );
}

/** What was known when it was opened. */
const Known = ({ thread: { about, known, openedAt } }: { thread: Thread }) => (
  <p className={styles.what}>
    When it was opened, {eastAfricaTime(new Date(openedAt))}: {known.state}
    {typeof known.amount === "number" && `, ${ksh(known.amount)}`}
    {known.receipt && `, receipt ${known.receipt}`}
    {known.at && `, of ${eastAfricaTime(new Date(known.at))}`}
    {(about.kind === "payment" || about.kind === "withdrawal") && `, id ${about.id}`}
    {known.league && `, league ${known.league}`}
    {known.league && known.settledAt && (
      <>
        {" "}
        (<Link to={`/leagues/${known.league}/settlement`}>its record</Link>)
      </>
    )}
  </p>
);

type AnswerProps = { thread: Thread; acting: ReturnType<typeof useAct> };

function Answer({ thread: { _id, username }, acting: { busy, act } }: AnswerProps) {
  const client = useQueryClient();
  const key = useRef(new SubmitKey());
  const { draft: { text, reason }, change, forget } = useAnswerDraft(_id);
  const [missing, setMissing] = useState<"text" | "reason">();

  const send = async (closes: boolean) => {
    const nothing = closes ? reason.trim() === "" : text.trim() === "";
    setMissing(nothing ? (closes ? "reason" : "text") : undefined);
    if (nothing) return;
    const body = closes ? { text, close: reason.trim() } : { text };
    const done = await act(async () => {
      const thread = await key.current.submit(body, (idempotencyKey) => answerCase(_id, body, idempotencyKey));
      client.setQueryData(threadQuery(_id).queryKey, thread);
      return closes ? `Closed: ${username} is told by mail.` : `Answered: ${username} is told by mail.`;
    }, "It was not taken. Nothing has changed.");
    if (done) {
      forget();
      void client.invalidateQueries({ queryKey: waitingCasesQuery.queryKey, exact: true });
    } else {
      // Somebody else may have answered or closed it.
      void client.invalidateQueries({ queryKey: threadQuery(_id).queryKey });
    }
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(false);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label="Answer">
      <TextBox
        label="Answer: the player reads it"
        value={text}
        onChange={(text) => change({ text })}
        longest={LONGEST_TEXT}
        error={missing === "text" ? "Write the answer." : undefined}
      />
      <Button type="submit" variation="primary" isLoading={busy} loadingText="Sending…" isDisabled={busy}>
        Answer
      </Button>
      <Field
        label="Reason for closing it: the player reads it"
        value={reason}
        onChange={(reason) => change({ reason })}
        error={missing === "reason" ? "Give the reason." : undefined}
        input={{
          autoComplete: "off",
          maxLength: LONGEST_REASON,
          name: "reason",
          // Else Enter would send the answer, and leave the case open.
          onKeyDown: (event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            void send(true);
          },
        }}
      />
      <Button isDisabled={busy} onClick={() => void send(true)}>
        Close it
      </Button>
    </form>
  );
}
