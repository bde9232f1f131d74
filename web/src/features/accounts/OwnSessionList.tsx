import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { explain, isCertain } from "../../api/refusal";
import { Card } from "../../components/Card";
import { Notice } from "../../components/Notice";
import { ListRows } from "../../components/Rows";
import { msg, str } from "../../lib/i18n";
import { eastAfricaTime } from "../../lib/time";
import { useSubmit } from "../../lib/use-submit";
import styles from "./OwnSessionList.module.css";
import { endSession, sessionsQuery, type OwnSession } from "./own-sessions";

const deviceOf = ({ system, browser }: OwnSession) =>
  [system, browser].filter((word) => word !== "").join(" · ") || msg("A device that is not known");

/** Where the account is logged in; each can be ended here. */
export function OwnSessionList() {
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();
  const end = (id: string) =>
    submit(async () => {
      setProblem(undefined);
      try {
        await endSession(id);
      } catch (error) {
        const failed = msg("It could not be ended just now. Please try again.");
        setProblem(isCertain(error) ? explain(error, { refused: failed, failed }) : failed);
      }
      await refetch();
    });
  const others = sessions?.some(({ current }) => !current) ?? false;
  return (
    <Card title={msg("Where you are logged in")}>
      {problem && <Notice tone="error">{problem}</Notice>}
      <ListRows
        list={{ items: sessions, failed: isError && !sessions, refresh: () => void refetch() }}
        unread={msg("Your sessions could not be read just now.")}
        empty={msg("There are none.")}
        id={({ _id }) => _id}
      >
        {(session) => (
          <>
            <p className={styles.device}>
              <b>{deviceOf(session)}</b>
              {session.current && <> {msg("(this one)")}</>}
            </p>
            <p className="quiet small">
              {msg(str`Since ${eastAfricaTime(new Date(session.beganAt))}, last used ${eastAfricaTime(new Date(session.lastUsedAt))}`)}
            </p>
            {!session.current && (
              <Button
                variation="link"
                isDisabled={busy}
                aria-label={msg(str`End the session on ${deviceOf(session)}`)}
                onClick={() => void end(session._id)}
              >
                {msg("End it")}
              </Button>
            )}
          </>
        )}
      </ListRows>
      {others && (
        <Button isFullWidth isDisabled={busy} onClick={() => void end("others")}>
          {msg("End all others")}
        </Button>
      )}
    </Card>
  );
}
