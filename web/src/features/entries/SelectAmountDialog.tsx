import { Button } from "@aws-amplify/ui-react";
import { useWhatIsLeft } from "../../api/own-limits";
import { Dialog } from "../../components/Dialog";
import { Problem, type Trouble } from "../../components/Problem";
import { ENTRY_AMOUNTS } from "../../lib/amounts";
import { ksh } from "../../lib/money";
import { Prize, type Offer } from "./Prize";
import styles from "./SelectAmountDialog.module.css";
import { msg, str } from "../../lib/i18n";

type Props = {
  open: boolean;
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  /** In KES; null while it is not known. */
  balance: number | null;
  /** Why nobody can enter just now; null where they can. */
  closed: string | null;
  busy: boolean;
  problem: Trouble | undefined;
  onJoin: (entryAmount: number) => void;
  onClose: () => void;
};

/** Which league to enter from the wallet. */
export function SelectAmountDialog({ open, offers, feePercent, balance, closed, busy, problem, onJoin, onClose }: Props) {
  const left = useWhatIsLeft("entry", open);
  return (
    <Dialog open={open} title={msg("Select Entry Amount")} onClose={onClose} busy={busy}>
      {/* Above the buttons, of which none may come under the thumb that has just pressed another. */}
      {closed && <p>{closed}</p>}
      {problem && <Problem trouble={problem} />}
      {balance !== null && (
        <p className={styles.balance}>
          {msg("Wallet balance")} <b className="money">{ksh(balance)}</b>
        </p>
      )}
      {left && <p className="small">{left}</p>}
      <ul className={styles.amounts}>
        {ENTRY_AMOUNTS.map((amount) => {
          const offer = offers?.find((o) => o.entryAmount === amount);
          return (
            <li key={amount}>
              <Button isFullWidth isDisabled={closed !== null || busy} onClick={() => onJoin(amount)}>{msg(str`Join for ${amount}`)}</Button>
              {offer && (
                <p className="quiet small">
                  <Prize offer={offer} feePercent={feePercent} open={closed === null} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
