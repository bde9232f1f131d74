import { Button } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Link } from "react-router";
import { api } from "../../api/client";
import { userQuery } from "../../api/queries";
import { answered, answerOf, explain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Field } from "../../components/Field";
import { Notice } from "../../components/Notice";
import { readFplId } from "../../lib/fpl-id";
import { errorOf } from "../../lib/parsed";
import { storeTeam } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { msg, str } from "../../lib/i18n";

/** A new season gives every team a new id: asks for it until it is linked. */
export function LinkTeam() {
  const { data: user } = useQuery(userQuery);
  const { linked, problem, busy, link } = useLink();
  if (linked) return <Notice tone="success">{linked}</Notice>;
  if (!user?.needsTeam) return null;
  return (
    <Card title={msg("Link your team of this season")}>
      <p>
        {user.fplId
          ? msg("A new season has begun, and your team has a new id. You can enter a league once it is linked.")
          : msg("Your account has no team yet. You can enter a league once it is linked.")}
      </p>
      <TeamForm busy={busy} problem={problem} onLink={(fplId) => void link(fplId)} />
      <Link className="link-row" to="/team">{msg("Linked to another account? Prove that it is yours")}</Link>
    </Card>
  );
}

function useLink() {
  const client = useQueryClient();
  const [linked, setLinked] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const link = (fplId: string) =>
    submit(async () => {
      setProblem(undefined);
      const failed = msg("Your team could not be linked. Please try again.");
      try {
        const answer = await answerOf(api.PUT("/api/user/team", { body: { fplId } }));
        storeTeam(answer.fplId);
        const done = answered(answer.message, msg("Your team is linked."));
        setLinked(answer.teamName ? `${done} ${msg(str`Welcome, ${answer.teamName}.`)}` : done);
        await client.invalidateQueries({ queryKey: userQuery.queryKey });
      } catch (error) {
        setProblem(explain(error, { refused: failed, failed }));
      }
    });

  return { linked, problem, busy, link };
}

type FormProps = { busy: boolean; problem: string | undefined; onLink: (fplId: string) => void };

function TeamForm({ busy, problem, onLink }: FormProps) {
  const [fplId, setFplId] = useState("");
  const [tried, setTried] = useState(false);
  const read = readFplId(fplId);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onLink(read.value);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate aria-label={msg("Link your team")}>
      <Field
        label={msg("FPL ID")}
        value={fplId}
        onChange={setFplId}
        error={tried ? errorOf(read) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "fplId" }}
      />
      <Link className="link-row" to="/get-fpl-id">{msg("Where do I find it?")}</Link>
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isLoading={busy} loadingText={msg("Linking…")} isFullWidth>{msg("Link my team")}</Button>
    </form>
  );
}
