import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { ListRows } from "../../../components/Rows";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { CreditedBy } from "./CreditedBy";
import { SetAsideDialog } from "./SetAsideDialog";
import { ACTS, actsOf, creditedElsewhere, figuresOf, setAsideId, useSetAsides, useStory, type CaseAct, type SetAside } from "./set-asides";

type Asking = { item: SetAside; act: CaseAct };

/** Payments and payouts that do not add up, until an admin closes them. The timeline of each is read when it is opened. */
export function SetAsideList() {
  const { list, outcome, busy, forget, decide } = useSetAsides();
  const { asking, ask, close, closeAfter } = useAsking<Asking>(forget);
  return (
    <Card anchor="set-aside" title="Set Aside" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="What is set aside could not be read just now."
        empty="Everything adds up."
        id={setAsideId}
      >
        {(item) => <Row item={item} busy={busy} onAsk={(act) => ask({ item, act })} />}
      </ListRows>
      <SetAsideDialog
        asked={asking}
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onDecided={(item, decision) => void closeAfter(decide(item, decision))}
      />
    </Card>
  );
}

type RowProps = { item: SetAside; busy: boolean; onAsk: (act: CaseAct) => void };

function Row({ item, busy, onAsk }: RowProps) {
  const { _id, kind, userId, username, phone, createdAt, reason, receipt, creditedTo, mpesaIds, closedBecause } = item;
  const elsewhere = creditedElsewhere(item);
  return (
    <>
      <div id={`case-${_id}`} className={styles.what}>
        <p className={styles.main}>{kind === "payout" ? "Payout" : "Payment"}</p>
        <p>{figuresOf(item)}</p>
        <p className="small">
          <Link to={`/panel/players/${userId}`}>{username}</Link> · <span className="money">{phone}</span> ·{" "}
          {eastAfricaTime(new Date(createdAt))}
        </p>
        {reason && <p className={styles.warning}>{reason}</p>}
        {receipt && <p className="small">Receipt {receipt}</p>}
        {elsewhere && (
          <p className="small">
            This receipt was credited by <CreditedBy posting={elsewhere} to={creditedTo} />.
          </p>
        )}
        {kind === "payout" && <p className="quiet small">Id {_id}</p>}
        {closedBecause && <p className="small">Closed before: “{closedBecause}”</p>}
        <Story id={_id} mpesaIds={mpesaIds} />
      </div>
      <div className={styles.acts}>
        {actsOf(item).map((act) => (
          <Button key={act} isDisabled={busy} onClick={() => onAsk(act)} aria-describedby={`case-${_id}`}>
            {ACTS[act].name}
          </Button>
        ))}
      </div>
    </>
  );
}

const NAMES: Record<string, string> = {
  intent: "Asked for",
  push: "Sent to M-Pesa",
  callback: "M-Pesa called",
  query: "M-Pesa was asked",
  result: "M-Pesa's result",
  timeout: "M-Pesa gave up",
  answer: "M-Pesa answered",
  act: "An admin",
};

function Story({ id, mpesaIds }: { id: string; mpesaIds: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const { events, failed } = useStory(id, open);
  return (
    <details className={styles.story} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The whole timeline</summary>
      {open && !events && (
        <p className="quiet small" role="status">
          {failed ? "The timeline could not be read just now. Close it and open it again." : "Reading…"}
        </p>
      )}
      <ol>
        {events?.map(({ kind, text, times, firstAt, lastAt }) => (
          <li key={`${firstAt} ${kind} ${text}`}>
            <span className="quiet small">
              {eastAfricaTime(new Date(firstAt))} · {NAMES[kind] ?? kind}
              {times > 1 && ` ${times} times, last ${eastAfricaTime(new Date(lastAt))}`}
            </span>
            <br />
            {text}
          </li>
        ))}
      </ol>
      {mpesaIds.length > 0 && <p className="quiet small">M-Pesa’s ids: {mpesaIds.join(", ")}</p>}
    </details>
  );
}
