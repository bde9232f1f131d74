import { Button } from "@aws-amplify/ui-react";
import { Dialog } from "../../components/Dialog";
import { Problem, type Trouble } from "../../components/Problem";
import { ENTRY_AMOUNTS } from "../../lib/amounts";
import { Prize, type Offer } from "./Prize";
import styles from "./SelectAmountDialog.module.css";

type Props = {
  open: boolean;
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  /** Why nobody can enter just now; null where they can. */
  closed: string | null;
  busy: boolean;
  problem: Trouble | undefined;
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
              <Button isFullWidth isDisabled={closed !== null || busy} onClick={() => onJoin(amount)}>
                Join for {amount}
              </Button>
              {offer && (
                <p className="quiet small">
                  <Prize offer={offer} feePercent={feePercent} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {closed && <p>{closed}</p>}
      {problem && <Problem trouble={problem} />}
    </Dialog>
  );
}
