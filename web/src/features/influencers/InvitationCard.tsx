import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mayPlay } from "../../api/promotions";
import { settingsQuery, userQuery } from "../../api/queries";
import { Card } from "../../components/Card";
import { CopyButton } from "../../components/CopyButton";
import { ErrorState } from "../../components/ErrorState";
import { Notice } from "../../components/Notice";
import { Skeleton } from "../../components/Skeleton";
import { msg } from "../../lib/i18n";
import { cameOf, invitationQuery, messageOf, share, type Came } from "./invitation";
import styles from "./InvitationCard.module.css";

/** A player's own link: to be sent on, and what came of it. */
export function InvitationCard() {
  const { data: settings, isError: unset, refetch: readSettings } = useQuery(settingsQuery);
  const { data: user } = useQuery(userQuery);
  const isOn = user && !mayPlay(user) ? false : settings?.promotions;
  const { data, isError, refetch } = useQuery({ ...invitationQuery, enabled: isOn === true });
  const [notShared, setNotShared] = useState(false);

  if (isOn === false) return <Notice tone="info">{msg("There are no invitations at present.")}</Notice>;
  if (unset && !settings) return <ErrorState text={msg("Your link could not be read just now.")} onRetry={() => void readSettings()} />;
  if (isError && !data) return <ErrorState text={msg("Your link could not be read just now.")} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div aria-busy="true">
        <Skeleton height="20rem" />
      </div>
    );
  }
  return (
    <>
      <Card title={msg("Your link")}>
        <p>{msg("Send it to friends who play Fantasy Premier League. Whoever follows it comes to the sign-up.")}</p>
        <p className={styles.link}>{data.link}</p>
        <div className={styles.ways}>
          <CopyButton text={data.link} label={msg("Copy your link")} />
          {typeof navigator.share === "function" && (
            <Button size="small" variation="primary" onClick={() => void share(data.link).then((shared) => setNotShared(!shared))}>
              {msg("Share")}
            </Button>
          )}
        </div>
        {notShared && <Notice tone="error">{msg("This phone did not share the link. Copy it, and send it yourself.")}</Notice>}
        <a className="link-row" href={`https://wa.me/?text=${encodeURIComponent(messageOf(data.link))}`} target="_blank" rel="noreferrer">
          {msg("Send it by WhatsApp")}
        </a>
      </Card>
      <Card title={msg("What came of it")}>
        <Counts came={data} />
        <p className="quiet small">
          {msg("Counted in fives, without names. Nobody is paid for it, you and your friends alike.")}
        </p>
      </Card>
    </>
  );
}

const Counts = ({ came }: { came: Came }) => (
  <dl className={styles.counts}>
    {cameOf(came).map(([what, howMany]) => (
      <div key={what}>
        <dt>{what}</dt>
        <dd>{howMany}</dd>
      </div>
    ))}
  </dl>
);
