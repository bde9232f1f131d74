import { Button } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { gameweekStatusQuery } from "../../../api/queries";
import { Card } from "../../../components/Card";
import { Confirm } from "../../../components/Confirm";
import { ListRows } from "../../../components/Rows";
import { productNow } from "../../../lib/clock";
import { ksh } from "../../../lib/money";
import { taxInWords } from "../../../lib/tax";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { ReasonDialog } from "../../../panel/ReasonDialog";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { actsOf, isAhead, useWithdrawals, warningsOf, withdrawalId, type Withdrawal, type WithdrawalAct } from "./requests";

const NAMES: Record<WithdrawalAct, string> = { pay: "Pay by M-Pesa", done: "Mark as Done", reject: "Reject" };

type Asking = { what: WithdrawalAct; withdrawal: Withdrawal };

/** What is sent: without the tax that is kept back. */
const aboutOf = ({ amount, tax, username, mpesaNumber }: Withdrawal) => `${ksh(amount - (tax?.amount ?? 0))} to ${username} at ${mpesaNumber}`;

/** Who waits for money, and where it goes. Each act asks first. */
export function RequestList() {
  const { list, outcome, busy, forget, markDone, reject, pay } = useWithdrawals();
  const { asking, ask, close, closeAfter } = useAsking<Asking>(forget);
  const about = asking ? aboutOf(asking.withdrawal) : "";
  const question = { busy, problem: problemOf(outcome), onClose: close };
  const then = (act: (withdrawal: Withdrawal) => Promise<boolean>) => () => asking && void closeAfter(act(asking.withdrawal));

  return (
    <Card anchor="withdrawals" title="Withdrawal Requests" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="The requests could not be read just now."
        empty="No withdrawal requests."
        id={withdrawalId}
      >
        {(withdrawal) => <Row withdrawal={withdrawal} busy={busy} onAsk={(what) => ask({ what, withdrawal })} />}
      </ListRows>
      <Confirm open={asking?.what === "done"} title="Mark as done" action="Yes, it was sent" onConfirm={then(markDone)} {...question}>
        <p>{about}: was it sent? The player is told so, and this is not taken back.</p>
      </Confirm>
      <Confirm open={asking?.what === "pay"} title="Pay by M-Pesa" action="Send the money" onConfirm={then(pay)} {...question}>
        <p>{about} is sent now. This is not taken back.</p>
      </Confirm>
      <ReasonDialog
        open={asking?.what === "reject"}
        title="Reject the withdrawal"
        text={asking ? whatRejectingMeans(asking.withdrawal) : ""}
        required
        action="Reject"
        onGiven={(reason) => asking && void closeAfter(reject(asking.withdrawal, reason))}
        {...question}
      />
    </Card>
  );
}

const whatRejectingMeans = ({ amount, username, mpesaNumber }: Withdrawal) =>
  `${ksh(amount)} goes back to ${username}; what they owe is paid of it first. Nothing is sent to ${mpesaNumber}.`;

function saidSent(until: string, now: number | null): string {
  if (now === null) return "An admin said that it was sent by hand. Look into M-Pesa's portal first.";
  const time = eastAfricaTime(new Date(until));
  return isAhead(until, now)
    ? `An admin says that it was sent by hand. Until ${time} another admin decides that, and nobody pays or rejects it.`
    : `An admin said that it was sent by hand, and until ${time} nobody approved that. Look into M-Pesa's portal first.`;
}

type RowProps = { withdrawal: Withdrawal; busy: boolean; onAsk: (what: WithdrawalAct) => void };

function Row({ withdrawal, busy, onAsk }: RowProps) {
  const { data: gameweek } = useQuery(gameweekStatusQuery);
  const now = gameweek ? productNow(gameweek.clock) : null;
  const acts = actsOf(withdrawal, now);
  const { _id, amount, userId, username, mpesaNumber, createdAt, status, payout, recipientName, trouble, waitsUntil, saidSentUntil } = withdrawal;
  const button = { isDisabled: busy, "aria-describedby": `withdrawal-${_id}` };
  return (
    <>
      <div id={`withdrawal-${_id}`} className={styles.what}>
        <p className={styles.main}>{ksh(amount)}</p>
        {withdrawal.tax && <p className="small">{taxInWords(amount, withdrawal.tax)}</p>}
        <p>
          <Link to={`/panel/players/${userId}`}>{username}</Link> · <span className="money">{mpesaNumber}</span>
          {recipientName && ` · ${recipientName}`}
        </p>
        <p className="quiet small">
          {eastAfricaTime(new Date(createdAt))} · {payout === "sent" ? "M-Pesa is paying it" : status}
        </p>
        <p className="quiet small">Id {_id}</p>
        {waitsUntil && isAhead(waitsUntil, now) && <p className="small">Not to be paid before {eastAfricaTime(new Date(waitsUntil))}.</p>}
        {saidSentUntil && <p className={styles.warning}>{saidSent(saidSentUntil, now)}</p>}
        {warningsOf(withdrawal).map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
        {trouble && <p className={styles.warning}>{trouble}</p>}
      </div>
      {acts.length > 0 && (
        <div className={styles.acts}>
          {acts.map((act) => (
            <Button key={act} {...button} onClick={() => onAsk(act)}>
              {NAMES[act]}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
