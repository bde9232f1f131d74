import { Button } from "@aws-amplify/ui-react";
import type { Schemas } from "../../../api/client";
import { Card } from "../../../components/Card";
import { Rows } from "../../../components/Rows";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { ReasonDialog } from "../../../panel/ReasonDialog";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { useTimeOfYears } from "../../../panel/use-time-of-years";
import { useRelease } from "./own-numbers";

/** The numbers that are a player's own, and the account at the paybill. A number that has changed hands is released here. */
export function OwnNumberList({ profile: { player, ownNumbers, paybillAccount } }: { profile: Schemas["PlayerProfile"] }) {
  const { outcome, busy, forget, release } = useRelease(player);
  const { asking, ask, close, closeAfter } = useAsking<string>(forget);
  const at = useTimeOfYears();
  return (
    <Card title="Own numbers">
      <ActNotice outcome={asking ? null : outcome} />
      <p className="small">Account at the paybill: {paybillAccount ?? "none yet"}</p>
      <Rows
        items={ownNumbers}
        empty="No prompt to a number of this player's was paid yet."
        id={({ phone }) => phone}
      >
        {({ phone, since }) => (
          <>
            <div className={styles.half}>
              <p className={styles.name}>{phone}</p>
              <p className="quiet small">Since {at(since)}</p>
            </div>
            <Button size="small" isDisabled={busy} onClick={() => ask(phone)} aria-label={`Release ${phone}`}>
              Release
            </Button>
          </>
        )}
      </Rows>
      <ReasonDialog
        open={asking !== null}
        title="Release the number"
        text={`${asking ?? ""} is nobody's then, until the next prompt to it is paid. Do this where it has changed hands.`}
        action="Release"
        required
        missing="Give the reason: it is kept in the audit log."
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onGiven={(reason) => asking !== null && void closeAfter(release(asking, reason))}
      />
    </Card>
  );
}
