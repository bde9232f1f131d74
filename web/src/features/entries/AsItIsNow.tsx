import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { projection } from "../../lib/projection";
import styles from "./AutoCheckout.module.css";
import type { Offer } from "./Prize";
import { msg, str } from "../../lib/i18n";

type Props = { offers: readonly Offer[] | undefined; feePercent: number | undefined };

/** What the draw would make of the entries as they are now, by amount, and the operator's fee. */
export function AsItIsNow({ offers, feePercent }: Props) {
  if (!offers || feePercent === undefined) return <Skeleton height="9rem" />;
  return (
    <div className="small">
      <p>{msg("If the draw came now:")}</p>
      <ul className={styles.now}>
        {offers.map((offer) => (
          <li key={offer.entryAmount}>
            <b className="money">{ksh(offer.entryAmount)}</b> {projection(offer, feePercent)}
          </li>
        ))}
      </ul>
      <p className="quiet">{msg(str`A league pays ${100 - feePercent} % of what it collects; ${feePercent} % is the fee.`)}</p>
    </div>
  );
}
