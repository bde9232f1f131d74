import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Card } from "../../../components/Card";
import { CopyButton } from "../../../components/CopyButton";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";
import { ListRows } from "../../../components/Rows";
import { count } from "../../../lib/count";
import styles from "../../../panel/Panel.module.css";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { influencerId, useInfluencers, type Influencer } from "./influencers";

/** Referral links: making one, and what came of each. */
export function InfluencerLinkList() {
  const { list, made, problem, busy, create } = useInfluencers();
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const missing = name.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing) return;
    void create(name.trim(), () => {
      setName("");
      setTried(false);
    });
  };

  return (
    <Card title="Influencer Links" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <form className="form" onSubmit={onSubmit} noValidate aria-label="New influencer">
        <Field
          label="Name"
          value={name}
          onChange={setName}
          error={tried && missing ? "Please enter a name." : undefined}
          input={{ autoComplete: "off", maxLength: 60, name: "name" }}
        />
        {problem && <Notice tone="error">{problem}</Notice>}
        {made && (
          <Notice tone="success">
            The link of {made.name}: <b>{made.referralLink}</b>
          </Notice>
        )}
        <Button type="submit" isLoading={busy} loadingText="Creating…">
          Create link
        </Button>
      </form>
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="The influencers could not be read just now."
        empty="No influencers yet."
        id={influencerId}
      >
        {(influencer) => <Row influencer={influencer} />}
      </ListRows>
    </Card>
  );
}

const Row = ({ influencer: { name, referralLink, visits, signUps, payingPlayers } }: { influencer: Influencer }) => (
  <>
    <div className={styles.what}>
      <p className={styles.main}>{name}</p>
      <p className="small">{referralLink}</p>
      <p className="quiet small">
        {count(visits, "visit")} · {count(signUps, "sign-up")} · {count(payingPlayers, "paying player")}
      </p>
    </div>
    <CopyButton text={referralLink} label={`Copy the link of ${name}`} />
  </>
);
