import { Button } from "@aws-amplify/ui-react";
import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { useBalance, whatIsOwed } from "../../api/use-balance";
import { MonthFolded } from "./MonthSoFar";
import styles from "./WalletBox.module.css";
import { msg } from "../../lib/i18n";

type Props = { onCheckout: () => void; onTopUp: () => void; closed: boolean };

/** The money a player has here, and what can be done with it. */
export function WalletBox({ onCheckout, onTopUp, closed }: Props) {
  const { balance, owed, isError, refetch } = useBalance();
  return (
    <>
      <section className={styles.wallet} aria-label={msg("Wallet")}>
        <p className={styles.label}>{msg("Wallet balance")}</p>
        <p className={styles.balance}>{balance === null ? <Skeleton width="8rem" height="2.25rem" /> : ksh(balance)}</p>
        {isError && (
          <p role="alert" className={styles.problem}>
            {msg("The balance could not be read just now.")}{" "}
            <button type="button" onClick={() => void refetch()}>{msg("Try again")}</button>
          </p>
        )}
        {owed > 0 && <p className={styles.problem}>{whatIsOwed(owed)}</p>}
        <div className={styles.actions}>
          <Button variation="primary" onClick={onCheckout} isDisabled={closed}>{msg("Checkout from Wallet")}</Button>
          <Button className={styles.second} onClick={onTopUp}>{msg("Top up")}</Button>
        </div>
      </section>
      <MonthFolded />
    </>
  );
}
