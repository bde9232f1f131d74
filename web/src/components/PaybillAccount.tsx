import { CopyButton } from "./CopyButton";
import styles from "./PaybillAccount.module.css";
import { Skeleton } from "./Skeleton";

/** Where money is sent by hand, and the player's own account there, by which it is credited by itself. */
export type Paybill = { number: string; account: string };

export const PaybillAccount = ({ paybill }: { paybill: Paybill | undefined }) => (
  <dl className={styles.paybill}>
    <div>
      <dt>Paybill</dt>
      <dd>{paybill?.number ?? <Skeleton width="5rem" />}</dd>
      {paybill && <CopyButton text={paybill.number} label="Copy the paybill number" />}
    </div>
    <div>
      <dt>Account</dt>
      <dd>{paybill?.account ?? <Skeleton width="5rem" />}</dd>
      {paybill && <CopyButton text={paybill.account} label="Copy your account number" />}
    </div>
  </dl>
);
