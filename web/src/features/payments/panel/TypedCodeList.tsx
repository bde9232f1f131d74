import { Button } from "@aws-amplify/ui-react";
import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { ListRows } from "../../../components/Rows";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { ReasonDialog } from "../../../panel/ReasonDialog";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { AmountDialog } from "./AmountDialog";
import { CreditedBy } from "./CreditedBy";
import { knownOf, paymentId, promptOf, rejectionOf, useTypedCodes, type TypedCode } from "./typed-codes";

type Asking = { what: "confirm" | "reject"; payment: TypedCode };

/** Typed codes that wait for an admin: confirmed with an amount, or rejected. */
export function TypedCodeList() {
  const { list, outcome, busy, forget, confirm, reject } = useTypedCodes();
  const { asking, ask, close, closeAfter } = useAsking<Asking>(forget);
  const asked = (what: "confirm" | "reject") => (asking?.what === what ? asking.payment : null);
  const rejecting = asked("reject");

  return (
    <Card anchor="codes" title="Pending Manual Payments" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      <ActNotice outcome={asking ? null : outcome} />
      {list.stale && <Stale />}
      <ListRows
        list={list}
        unread="The payments could not be read just now."
        empty="No payments wait."
        id={paymentId}
      >
        {(payment) => <Row payment={payment} busy={busy} onAsk={(what) => ask({ what, payment })} />}
      </ListRows>
      <AmountDialog
        payment={asked("confirm")}
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        onConfirm={(payment, amount) => void closeAfter(confirm(payment, amount))}
      />
      <ReasonDialog
        open={rejecting !== null}
        title={`Reject ${rejecting?.mpesaCode ?? ""}`}
        text={rejecting ? rejectionOf(rejecting) : ""}
        required={false}
        busy={busy}
        problem={problemOf(outcome)}
        onClose={close}
        action="Reject"
        onGiven={(reason) => asking && void closeAfter(reject(asking.payment, reason))}
      />
    </Card>
  );
}

type RowProps = { payment: TypedCode; busy: boolean; onAsk: (what: "confirm" | "reject") => void };

const Row = ({ payment, busy, onAsk }: RowProps) => (
  <>
    <div id={`payment-${payment._id}`} className={styles.what}>
      <p className={styles.main}>{payment.mpesaCode}</p>
      <p>
        <Link to={`/panel/players/${payment.userId}`}>{payment.username}</Link>
      </p>
      <p className="quiet small">{eastAfricaTime(new Date(payment.createdAt))}</p>
      {payment.waitsBecause && <p className="small">{payment.waitsBecause}</p>}
      {payment.warning && <p className={styles.warning}>{payment.warning}</p>}
      {knownOf(payment) && <p className="small">{knownOf(payment)}</p>}
      {payment.creditedBy && (
        <p className={styles.warning}>
          Credited before, by <CreditedBy posting={payment.creditedBy} to={payment.creditedTo} />.
        </p>
      )}
      {payment.prompts.map((prompt) => (
        <p key={prompt.checkoutId} className="small">
          {promptOf(prompt, payment)}
        </p>
      ))}
    </div>
    <div className={styles.acts}>
      <Button isDisabled={busy} onClick={() => onAsk("confirm")} aria-describedby={`payment-${payment._id}`}>
        Confirm
      </Button>
      <Button isDisabled={busy} onClick={() => onAsk("reject")} aria-describedby={`payment-${payment._id}`}>
        Reject
      </Button>
    </div>
  </>
);
