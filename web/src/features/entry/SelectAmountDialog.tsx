import { Button } from "@aws-amplify/ui-react";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { ENTRY_AMOUNTS } from "../../lib/amounts";
import { ksh } from "../../lib/money";
import type { Offer } from "./AutoCheckout";
import styles from "./SelectAmountDialog.module.css";

type Props = {
  open: boolean;
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  closed: boolean;
  busy: boolean;
  problem: string | undefined;
  onJoin: (entryAmount: number) => void;
  onClose: () => void;
};

/** Which league to enter from the wallet. */
export function SelectAmountDialog({ open, offers, feePercent, closed, busy, problem, onJoin, onClose }: Props) {
  return (
    <Dialog open={open} title="Select Entry Amount" onClose={onClose} busy={busy}>
      <ul className={styles.amounts}>
        {ENTRY_AMOUNTS.map((amount) => {
          const offer = offers?.find((o) => o.entryAmount === amount);
          return (
            <li key={amount}>
              <Button isFullWidth isDisabled={closed || busy} onClick={() => onJoin(amount)}>
                Join for {amount}
              </Button>
              {offer && (
                <p className="quiet small">
                  {ksh(offer.fullLeaguePrize)} if the league fills · {offer.entries} joined
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {feePercent !== undefined && (
        <p className="quiet small">A league pays {100 - feePercent} % of what it collects.</p>
      )}
      {closed && <p>The deadline has passed.</p>}
      {problem && <Notice tone="error">{problem}</Notice>}
    </Dialog>
  );
}
