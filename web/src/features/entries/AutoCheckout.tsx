import { Button } from "@aws-amplify/ui-react";
import { useId } from "react";
import { Card } from "../../components/Card";
import { Skeleton } from "../../components/Skeleton";
import { ENTRY_AMOUNTS } from "../../lib/amounts";
import { ksh } from "../../lib/money";
import styles from "./AutoCheckout.module.css";
import { AsItIsNow } from "./AsItIsNow";
import type { Offer } from "./Prize";
import { UseYourWallet } from "./UseYourWallet";
import { msg, str } from "../../lib/i18n";

type Props = {
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  /** Why nobody can enter just now; null where they can. */
  closed: string | null;
  /** What there is could not be read. */
  failed: boolean;
  /** The deadline has passed: the draw is of what there is. */
  passed: boolean;
  /** So shortly before the deadline that a prompt may be paid after it. */
  late: boolean;
  busy: boolean;
  onChoose: (entryAmount: number) => void;
  onWallet: () => void;
};

/** Pay for an entry straight from M-Pesa, without topping up first. */
export function AutoCheckout({ offers, feePercent, closed, failed, passed, late, busy, onChoose, onWallet }: Props) {
  const id = useId();
  return (
    <Card title={msg("Auto Checkout")}>
      <p className="quiet">{msg("Pick an amount and pay with M-Pesa. You join as soon as it is paid.")}</p>
      <ul className={styles.amounts}>
        {ENTRY_AMOUNTS.map((amount) => {
          const offer = offers?.find((o) => o.entryAmount === amount);
          return (
            <li key={amount}>
              <Button
                isFullWidth
                className={styles.amount ?? ""}
                isDisabled={closed !== null || busy}
                onClick={() => onChoose(amount)}
                aria-describedby={`${id}-${amount}`}
              >{ksh(amount)}</Button>
              <p id={`${id}-${amount}`} className={styles.offer}>
                {offer && <Won offer={offer} passed={passed} />}
                {!offers && !failed && <Skeleton width="6rem" height="4em" />}
              </p>
            </li>
          );
        })}
      </ul>
      {!passed && !failed && <AsItIsNow offers={offers} feePercent={feePercent} />}
      {late && closed === null && !busy && <UseYourWallet onWallet={onWallet} />}
      {closed && <p className={styles.closed}>{closed}</p>}
    </Card>
  );
}

const Won = ({ offer, passed }: { offer: Offer; passed: boolean }) => (
  <>
    {!passed && (
      <>
        <span>{msg("a full league pays")} </span>
        <b className="money">{ksh(offer.fullLeaguePrize)}</b>
      </>
    )}
    <span>{msg(str`${offer.entries} joined`)}</span>
  </>
);
