import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { Card } from "../../components/Card";
import { CopyButton } from "../../components/CopyButton";
import { ErrorState } from "../../components/ErrorState";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { rich } from "../../components/rich";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import { eastAfricaTime } from "../../lib/time";
import styles from "./ProveTeam.module.css";
import { useProof, type TeamProof } from "./use-proof";
import { msg, str } from "../../lib/i18n";

/** A player shows that a team is theirs: a code of ours, put into its name in the official game. */
export function ProveTeam() {
  const { proof, own, failed, retry, problem, busy, ask, check } = useProof();
  if (failed) return <ErrorState text={msg("Your team could not be read just now.")} onRetry={retry} />;
  if (!proof) return <p>{msg("Loading...")}</p>;
  if (proof.proved) return <Notice tone="success">{msg(str`Team ${proof.fplId} is yours: you have proved it.`)}</Notice>;
  return (
    <Card title={msg("Prove that a team is yours")}>
      <p>{msg("Anybody can read a team's number. Prove that yours is yours: then nobody can take it, and you can withdraw what it has won.")}</p>
      {proof.code ? (
        <>
          <Challenge proof={proof} code={proof.code} busy={busy} onCheck={check} onAgain={() => ask(proof.fplId)} />
          {own !== undefined && own !== proof.fplId && (
            <details key={proof.code} className={styles.other}>
              <summary>{msg("Is it another team?")}</summary>
              <Which own={own} busy={busy} onAsk={ask} />
            </details>
          )}
        </>
      ) : (
        <Which key={proof.fplId} own={proof.fplId} busy={busy} onAsk={ask} />
      )}
      {problem && <Notice tone="error">{problem}</Notice>}
    </Card>
  );
}

const italic = (part: string) => <i>{part}</i>;

type ChallengeProps = { proof: TeamProof; code: string; busy: boolean; onCheck: () => void; onAgain: () => void };

const Challenge = ({ proof: { fplId, teamName, expiresAt }, code, busy, onCheck, onAgain }: ChallengeProps) => (
  <>
    <ol>
      <li>
        {msg(str`Your code for team ${fplId}:`)} <b className="money">{code}</b> <CopyButton text={code} label={msg("Copy the code")} />
      </li>
      <li>
        {rich(
          teamName
            ? msg(str`In the official game open [Pick Team], then [Team Details], and put the code into your team's name (now “${teamName}”). The name may be nothing but the code.`)
            : msg("In the official game open [Pick Team], then [Team Details], and put the code into your team's name. The name may be nothing but the code."),
          italic,
          italic,
        )}
      </li>
      <li>{msg("Save it there, come back and press the button. After that you can change the name back.")}</li>
    </ol>
    {expiresAt && <p className="quiet small">{msg(str`The code is good until ${eastAfricaTime(new Date(expiresAt))}.`)}</p>}
    <Button variation="primary" isFullWidth isLoading={busy} loadingText={msg("Looking…")} isDisabled={busy} onClick={onCheck}>{msg("It is in the name: look now")}</Button>
    <Button isFullWidth isDisabled={busy} onClick={onAgain}>{msg("A new code")}</Button>
  </>
);

/** `own`: the team that the account has; empty where it has none and any can be named. */
type WhichProps = { own: string; busy: boolean; onAsk: (fplId: string) => void };

function Which({ own, busy, onAsk }: WhichProps) {
  const [fplId, setFplId] = useState(own);
  const [tried, setTried] = useState(false);
  const read = readFplId(fplId);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onAsk(read.value);
  };
  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label={msg("Prove your team")}>
      <Field
        label={msg("FPL ID")}
        value={fplId}
        onChange={setFplId}
        error={tried ? errorOf(read) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "fplId", readOnly: own !== "" }}
      />
      <Link className="link-row" to="/get-fpl-id">{msg("Where do I find it?")}</Link>
      <Button type="submit" variation="primary" isLoading={busy} loadingText={msg("Asking…")} isFullWidth>{msg("Get a code")}</Button>
    </form>
  );
}
