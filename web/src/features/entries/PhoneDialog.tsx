import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { useWhatIsLeft } from "../../api/own-limits";
import { useExcise } from "../../api/use-excise";
import { useFreshSettings } from "../../api/use-fresh-settings";
import { Dialog } from "../../components/Dialog";
import { ExciseRate } from "../../components/ExciseRate";
import { Field } from "../../components/Field";
import { Problem, type Trouble } from "../../components/Problem";
import { ksh } from "../../lib/money";
import { errorOf } from "../../lib/parsed";
import { localDigits, rememberedPhone } from "../../lib/phone";
import { paidFor } from "../../lib/tax";
import { Prize, type Offer } from "./Prize";
import { readPayPhone } from "./rules";
import { UseYourWallet } from "./UseYourWallet";
import { msg, str } from "../../lib/i18n";

type Props = {
  /** The stake, in KES. */
  amount: number | null;
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  /** Why nobody can enter just now; null where they can. */
  closed: string | null;
  /** So shortly before the deadline that a prompt may be paid after it. */
  late: boolean;
  busy: boolean;
  problem: Trouble | undefined;
  /** `paid`: what M-Pesa takes, with the excise. */
  onPay: (phone: string, paid: number) => void;
  onWallet: () => void;
  onClose: () => void;
};

/** Asks for the phone that the prompt goes to. */
export function PhoneDialog({ amount, offers, feePercent, closed, late, busy, problem, onPay, onWallet, onClose }: Props) {
  const [phone, setPhone] = useState(rememberedPhone);
  const [tried, setTried] = useState(false);
  const read = readPayPhone(phone);
  const left = useWhatIsLeft("prompt", amount !== null);
  useFreshSettings(amount !== null);
  const percent = useExcise();
  const stake = amount ?? 0;
  const paid = paidFor(stake, percent);
  const offer = offers?.find(({ entryAmount }) => entryAmount === amount);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onPay(read.value, paid);
  };

  return (
    <Dialog open={amount !== null} title={msg(str`Pay ${ksh(paid)}`)} onClose={onClose} busy={busy}>
      {closed && !busy ? (
        <div className="form">
          {problem && <Problem trouble={problem} />}
          {/* Of a payment that is set aside both say the same. */}
          {!problem?.text.startsWith(closed) && <p>{closed}</p>}
        </div>
      ) : (
        <form className="form" onSubmit={onSubmit} noValidate>
          {paid > stake && (
            <p>{msg(str`${ksh(paid)}: ${ksh(stake)} stake and ${ksh(paid - stake)} excise duty (${percent} %, rounded down).`)}</p>
          )}
          {offer && (
            <p className="quiet small">
              <Prize offer={offer} feePercent={feePercent} open />
            </p>
          )}
          {left && <p className="small">{left}</p>}
          <Field
            label={msg("Phone number")}
            hint={msg("Your own: M-Pesa sends the prompt there.")}
            value={phone}
            onChange={(typed) => setPhone(localDigits(typed))}
            error={tried ? errorOf(read) : undefined}
            input={{ type: "tel", inputMode: "tel", autoComplete: "tel-national", placeholder: "07XXXXXXXX", name: "phone" }}
          />
          {problem && <Problem trouble={problem} />}
          {problem?.paybill && (
            <>
              <ExciseRate percent={percent} />
              <Button isFullWidth onClick={onWallet}>{msg("Use your wallet")}</Button>
            </>
          )}
          <Button
            type="submit"
            variation="primary"
            isFullWidth
            isLoading={busy}
            loadingText={msg(str`Processing ${ksh(paid)}...`)}
          >{msg("Pay Now")}</Button>
          {late && !busy && !problem?.paybill && <UseYourWallet onWallet={onWallet} />}
        </form>
      )}
    </Dialog>
  );
}
