import { Button } from "@aws-amplify/ui-react";
import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { useBalance, whatIsOwed } from "../../api/use-balance";
import styles from "./WalletBox.module.css";

type Props = { onCheckout: () => void; onTopUp: () => void; closed: boolean };

/** The money a player has here, and what can be done with it. */
export function WalletBox({ onCheckout, onTopUp, closed }: Props) {
  const { balance, owed, isError, refetch } = useBalance();
  return (
    <section className={styles.wallet} aria-label="Wallet">
      <p className={styles.label}>Wallet balance</p>
      <p className={styles.balance}>{balance === null ? <Skeleton width="8rem" height="2.25rem" /> : ksh(balance)}</p>
      {isError && (
        <p role="alert" className={styles.problem}>
          The balance could not be read just now.{" "}
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      {owed > 0 && <p className={styles.problem}>{whatIsOwed(owed)}</p>}
      <div className={styles.actions}>
        <Button variation="primary" onClick={onCheckout} isDisabled={closed}>
          Checkout from Wallet
        </Button>
        <Button className={styles.second} onClick={onTopUp}>
          Top up
        </Button>
      </div>
    </section>
  );
}
