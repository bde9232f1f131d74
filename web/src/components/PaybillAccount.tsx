import { useEffect } from "react";
import { tellByHand } from "../lib/by-hand";
import { CopyButton } from "./CopyButton";
import styles from "./PaybillAccount.module.css";
import { Skeleton } from "./Skeleton";
import { msg } from "../lib/i18n";

/** Where money is sent by hand, and the player's own account there, by which it is credited by itself. */
export type Paybill = { number: string; account: string };

export function PaybillAccount({ paybill }: { paybill: Paybill | undefined }) {
  useEffect(tellByHand, []);
  return (
    <dl className={styles.paybill}>
      <Line name={msg("Paybill")} value={paybill?.number} copy={msg("Copy the paybill number")} />
      <Line name={msg("Account")} value={paybill?.account} copy={msg("Copy your account number")} />
    </dl>
  );
}

const Line = ({ name, value, copy }: { name: string; value: string | undefined; copy: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value ? <span>{value}</span> : <Skeleton width="5rem" />}
      {value && <CopyButton text={value} label={copy} />}
    </dd>
  </div>
);
