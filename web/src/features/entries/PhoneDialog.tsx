import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { Problem, type Trouble } from "../../components/Problem";
import { errorOf } from "../../lib/parsed";
import { localDigits, rememberedPhone } from "../../lib/phone";
import { Prize, type Offer } from "./Prize";
import { readPayPhone } from "./rules";
import { UseYourWallet } from "./UseYourWallet";

type Props = {
  amount: number | null;
  offers: readonly Offer[] | undefined;
  feePercent: number | undefined;
  /** So shortly before the deadline that a prompt may be answered too late. */
  late: boolean;
  busy: boolean;
  problem: Trouble | undefined;
  onPay: (phone: string) => void;
  onWallet: () => void;
  onClose: () => void;
};

/** Asks for the phone that the prompt goes to. */
export function PhoneDialog({ amount, offers, feePercent, late, busy, problem, onPay, onWallet, onClose }: Props) {
  const [phone, setPhone] = useState(rememberedPhone);
  const [tried, setTried] = useState(false);
  const read = readPayPhone(phone);
  const offer = offers?.find(({ entryAmount }) => entryAmount === amount);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onPay(read.value);
  };

  return (
    <Dialog open={amount !== null} title={`Pay KSh ${amount ?? ""}`} onClose={onClose} busy={busy}>
      {late && !busy ? (
        <div className="form">
          {problem && <Problem trouble={problem} />}
          <UseYourWallet onWallet={onWallet} />
        </div>
      ) : (
        <form className="form" onSubmit={onSubmit} noValidate>
          {offer && (
            <p className="quiet small">
              <Prize offer={offer} feePercent={feePercent} />
            </p>
          )}
          <Field
            label="Phone number"
            hint="Your own: M-Pesa sends the prompt there."
            value={phone}
            onChange={(typed) => setPhone(localDigits(typed))}
            error={tried ? errorOf(read) : undefined}
            input={{ type: "tel", inputMode: "tel", autoComplete: "tel-national", placeholder: "07XXXXXXXX", name: "phone" }}
          />
          {problem && <Problem trouble={problem} />}
          {problem?.paybill && (
            <Button isFullWidth onClick={onWallet}>
              Use your wallet
            </Button>
          )}
          <Button
            type="submit"
            variation="primary"
            isFullWidth
            isLoading={busy}
            loadingText={`Processing KSh ${amount}...`}
          >
            Pay Now
          </Button>
        </form>
      )}
    </Dialog>
  );
}
