import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { errorOf } from "../../lib/parsed";
import { readConfirmedAmount, type ManualPayment } from "./manual-payments";

type Props = {
  payment: ManualPayment | null;
  onClose: () => void;
  onConfirm: (payment: ManualPayment, amount: number) => void;
};

/** Asks what a payment is credited with: what M-Pesa received, which nobody else has said. */
export const AmountDialog = ({ payment, onClose, onConfirm }: Props) => (
  <Dialog open={payment !== null} title={`Confirm ${payment?.mpesaCode ?? ""}`} onClose={onClose}>
    {payment && <AmountForm payment={payment} onConfirm={(amount) => onConfirm(payment, amount)} />}
  </Dialog>
);

function AmountForm({ payment, onConfirm }: { payment: ManualPayment; onConfirm: (amount: number) => void }) {
  // What M-Pesa says that it received, where it has said so.
  const [amount, setAmount] = useState(payment.known?.completed ? String(payment.known.amount ?? "") : "");
  const [tried, setTried] = useState(false);
  const read = readConfirmedAmount(amount);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onConfirm(read.value);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>
        The wallet of {payment.username} is credited with what M-Pesa received for this code. This is not taken back.
      </p>
      <Field
        label="Amount (KSh)"
        value={amount}
        onChange={setAmount}
        error={tried ? errorOf(read) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "amount" }}
      />
      <Button type="submit" variation="primary" isFullWidth>
        Credit the wallet
      </Button>
    </form>
  );
}
