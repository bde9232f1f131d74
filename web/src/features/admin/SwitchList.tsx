import { Button } from "@aws-amplify/ui-react";
import { Card } from "../../components/Card";
import { ListRows } from "../../components/Rows";
import { eastAfricaTime } from "../../lib/time";
import { ActNotice } from "../../panel/ActNotice";
import styles from "../../panel/Panel.module.css";
import { ReasonDialog } from "../../panel/ReasonDialog";
import { RefreshButton } from "../../panel/RefreshButton";
import { Stale } from "../../panel/Stale";
import { problemOf } from "../../panel/use-act";
import { pausedBy } from "../../panel/paused-by";
import { useAsking } from "../../panel/use-asking";
import { useSwitches, type Pausable, type Switch, type Turn } from "./switches";

const WORDS: Record<Pausable, { name: string; pause: string; resume: string }> = {
  entries: {
    name: "Entries",
    pause: "Nobody can join or pay for an entry, and players are told so. A prompt that was sent before still counts.",
    resume: "Players can join and pay for entries again.",
  },
  payouts: {
    name: "Payouts by M-Pesa",
    pause: "No withdrawal is sent by M-Pesa. Players can still ask for one, and winners are paid into their wallets.",
    resume: "Withdrawals can be sent by M-Pesa again.",
  },
};
const BOTH: readonly Pausable[] = ["entries", "payouts"];

/** Stops what takes money in or sends it out, with a reason, and lets it go on. */
export function SwitchList() {
  const { switches, failed, stale, refreshing, refresh, outcome, busy, forget, turn } = useSwitches();
  const { asking, ask, close, closeAfter } = useAsking<Turn>(forget);
  const verb = asking?.pause ? "Pause" : "Resume";
  return (
    <Card title="Switches" aside={<RefreshButton busy={refreshing} onRefresh={refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {stale && <Stale />}
      <ListRows
        list={{ items: switches && BOTH, failed, refresh }}
        unread="The switches could not be read just now."
        empty=""
        id={(what) => what}
      >
        {(what) =>
          switches && (
            <Row
              what={what}
              now={switches[what]}
              busy={busy}
              onTurn={() => ask({ what, pause: !switches[what].paused, since: switches[what].since })}
            />
          )
        }
      </ListRows>
      <ReasonDialog
        open={asking !== null}
        title={asking ? `${verb} ${asking.what}` : ""}
        text={asking ? WORDS[asking.what][asking.pause ? "pause" : "resume"] : ""}
        action={verb}
        required
        missing="Give the reason: it is kept in the audit log."
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onGiven={(reason) => asking && void closeAfter(turn(asking, reason))}
      />
    </Card>
  );
}

type RowProps = { what: Pausable; now: Switch; busy: boolean; onTurn: () => void };

const Row = ({ what, now, busy, onTurn }: RowProps) => (
  <>
    <div className={styles.what}>
      <p className={styles.main}>{WORDS[what].name}</p>
      {now.paused ? (
        <>
          <p className={styles.warning}>
            Paused by {pausedBy(now)}
            {now.since && ` since ${eastAfricaTime(new Date(now.since))}`}
          </p>
          <p className="small">{now.reason}</p>
        </>
      ) : (
        <p className="quiet small">Running</p>
      )}
    </div>
    <div className={styles.acts}>
      <Button isDisabled={busy} onClick={onTurn}>
        {now.paused ? "Resume" : "Pause"} {what}
      </Button>
    </div>
  </>
);
