import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { Rows } from "../../../components/Rows";
import { ksh } from "../../../lib/money";
import { NewestOnly } from "../../../panel/NewestOnly";
import styles from "../../../panel/Panel.module.css";
import { useTimeOfYears } from "../../../panel/use-time-of-years";
import type { Reversal } from "./books";

/** Payments that M-Pesa has taken back, newest first, and who makes good for each. */
export const ReversalList = ({ reversals }: { reversals: readonly Reversal[] }) => (
  <Card title="Taken back by M-Pesa">
    <Rows
      items={reversals}
      empty="M-Pesa has taken nothing back."
      id={({ receipt }) => receipt}
    >
      {(reversal) => <Row reversal={reversal} />}
    </Rows>
    <NewestOnly of={reversals} />
  </Card>
);

function Row({ reversal: { receipt, userId, username, amount, fromWallet, owed, lost, excise, at } }: { reversal: Reversal }) {
  const inWords = useTimeOfYears();
  const parts = [
    fromWallet > 0 ? `${ksh(fromWallet)} from the wallet` : null,
    owed > 0 ? `${ksh(owed)} owed by the player` : null,
    lost > 0 ? `${ksh(lost)} lost` : null,
    excise > 0 ? `${ksh(excise)} of excise duty` : null,
  ];
  return (
    <>
      <div className={styles.half}>
        <Link className="link-row" to={`/panel/players/${userId}`}>
          {username}
        </Link>
        <p className="quiet small">{inWords(at)}</p>
        <p className="quiet small">Receipt {receipt}</p>
      </div>
      <div className={styles.amounts}>
        <p className={`money ${styles.name}`}>{ksh(amount)}</p>
        <p className="quiet small">{parts.filter(Boolean).join(", ")}</p>
      </div>
    </>
  );
}
