import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { Notice } from "../../../components/Notice";
import { eastAfricaTime } from "../../../lib/time";
import { RefreshButton } from "../../../panel/RefreshButton";
import { pausedBy } from "../../../panel/paused-by";
import { accountName, balance, type Books } from "./books";
import styles from "./Books.module.css";

type Props = { books: Books; refreshing: boolean; onRefresh: () => void };

/** Every account by the postings: together they are nothing. */
export function AccountList({ books: { asOf, accounts, payouts, readingSince }, refreshing, onRefresh }: Props) {
  return (
    <Card title="Accounts" aside={<RefreshButton busy={refreshing} onRefresh={onRefresh} />}>
      {payouts.paused && (
        <Notice tone="warning">
          Payouts are paused by {pausedBy(payouts)}: {payouts.reason} <Link to="/panel">Resume them on the desk</Link> once it is clear what is right.
        </Notice>
      )}
      {readingSince && <p className="quiet">The books are being read since {eastAfricaTime(new Date(readingSince))}.</p>}
      {!asOf ? (
        <p className="quiet">The books have not been read yet. That is done every night.</p>
      ) : (
        <>
          <p className="quiet">
            As of {eastAfricaTime(new Date(asOf))}. What came in, or is owed by somebody else, is negative.
          </p>
          <dl className={styles.accounts}>
            {accounts.map(({ name, amount }) => (
              <div key={name}>
                <dt>{accountName(name)}</dt>
                <dd className="money">{balance(amount)}</dd>
              </div>
            ))}
            <div className={styles.sum}>
              <dt>Together</dt>
              <dd className="money">{balance(accounts.reduce((sum, { amount }) => sum + amount, 0))}</dd>
            </div>
          </dl>
        </>
      )}
    </Card>
  );
}
