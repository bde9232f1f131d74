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

const Whole = ({ thread }: { thread: Thread }) => (
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
    {thread.state !== "closed" && <Answer thread={thread} />}
  </Card>
);

/** What was known when it was opened. */
const Known = ({ thread: { known, openedAt } }: { thread: Thread }) => (
  <p className={styles.what}>
    When it was opened, {eastAfricaTime(new Date(openedAt))}: {known.state}
    {typeof known.amount === "number" && `, ${ksh(known.amount)}`}
    {known.receipt && `, receipt ${known.receipt}`}
    {known.at && `, of ${eastAfricaTime(new Date(known.at))}`}
    {known.league && `, league ${known.league}`}
    {known.league && known.settledAt && (
      <>
        {" "}
        (<Link to={`/leagues/${known.league}/settlement`}>its record</Link>)
      </>
    )}
  </p>
);

function Answer({ thread: { _id, username } }: { thread: Thread }) {
  const client = useQueryClient();
  const key = useRef(new SubmitKey());
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState<"text" | "reason">();
  const { outcome, busy, act } = useAct();

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
      setText("");
      setReason("");
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
      <ActNotice outcome={outcome} />
      <TextBox
        label="Answer: the player reads it"
        value={text}
        onChange={setText}
        longest={LONGEST_TEXT}
        error={missing === "text" ? "Write the answer." : undefined}
      />
      <Button type="submit" variation="primary" isLoading={busy} loadingText="Sending…" isDisabled={busy}>
        Answer
      </Button>
      <Field
        label="Reason for closing it: the player reads it"
        value={reason}
        onChange={setReason}
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
