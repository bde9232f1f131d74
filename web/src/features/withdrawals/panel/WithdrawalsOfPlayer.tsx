import { useList } from "../../../api/list";
import { Card } from "../../../components/Card";
import { ListRows } from "../../../components/Rows";
import { ksh } from "../../../lib/money";
import { taxInWords } from "../../../lib/tax";
import styles from "../../../panel/Panel.module.css";
import { RefreshButton } from "../../../panel/RefreshButton";
import { Stale } from "../../../panel/Stale";
import { useTimeOfYears } from "../../../panel/use-time-of-years";
import { isGivenBack, stateOf } from "../withdrawals";
import { withdrawalId, withdrawalsOfQuery, type Withdrawal } from "./requests";

/** What one player has asked to have paid out, and what came of it. */
export function WithdrawalsOfPlayer({ id }: { id: string }) {
  const list = useList(withdrawalsOfQuery(id), withdrawalId);
  return (
    <Card title="Withdrawals" aside={<RefreshButton busy={list.refreshing} onRefresh={list.refresh} />}>
      {list.stale && <Stale />}
      <ListRows list={list} unread="The withdrawals could not be read just now." empty="Nothing was withdrawn yet." id={withdrawalId}>
        {(withdrawal) => <Row withdrawal={withdrawal} />}
      </ListRows>
    </Card>
  );
}

function Row({ withdrawal }: { withdrawal: Withdrawal }) {
  const { _id, amount, mpesaNumber, createdAt, reason, receipt, recipientName, trouble, corrected } = withdrawal;
  const at = useTimeOfYears();
  const tax = isGivenBack(withdrawal) ? null : taxInWords(amount, withdrawal.tax);
  return (
    <div className={styles.what}>
      <p className={styles.name}>
        <span className="money">{ksh(amount)}</span> · {corrected === "paid-twice" ? "Paid twice" : stateOf(withdrawal)}
      </p>
      <p className="small">
        <span className="money">{mpesaNumber}</span>
        {recipientName && ` · ${recipientName}`}
      </p>
      <p className="quiet small">{at(createdAt)}</p>
      {tax && <p className="small">{tax}</p>}
      {receipt && <p className="quiet small">Receipt {receipt}</p>}
      {reason && <p className="small">“{reason}”</p>}
      {trouble && <p className={styles.warning}>{trouble}</p>}
      <p className="quiet small">Id {_id}</p>
    </div>
  );
}
