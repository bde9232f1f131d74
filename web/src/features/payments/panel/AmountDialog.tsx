import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { useExcise } from "../../../api/use-excise";
import { Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";
import { errorOf } from "../../../lib/parsed";
import { lessExcise } from "./excise";
import { readConfirmedAmount, type TypedCode } from "./typed-codes";

type Props = {
  payment: TypedCode | null;
  busy: boolean;
  /** Why the last try was not done: what was typed stays. */
  problem: string | undefined;
  onClose: () => void;
  onConfirm: (payment: TypedCode, amount: number) => void;
};

/** Asks what a payment is credited with: what M-Pesa received, which nobody else has said. */
export const AmountDialog = ({ payment, busy, problem, onClose, onConfirm }: Props) => (
  <Dialog open={payment !== null} title={`Confirm ${payment?.mpesaCode ?? ""}`} onClose={onClose} busy={busy}>
    {payment && (
      <AmountForm payment={payment} busy={busy} problem={problem} onConfirm={(amount) => onConfirm(payment, amount)} />
    )}
  </Dialog>
);

type FormProps = Pick<Props, "busy" | "problem"> & { payment: TypedCode; onConfirm: (amount: number) => void };

function AmountForm({ payment, busy, problem, onConfirm }: FormProps) {
  // What M-Pesa says that it received, where it has said so.
  const [amount, setAmount] = useState(payment.known?.completed ? String(payment.known.amount ?? "") : "");
  const [tried, setTried] = useState(false);
  const percent = useExcise();
  const read = readConfirmedAmount(amount);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok) onConfirm(read.value);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>
        The wallet of {payment.username} is credited with what M-Pesa received for this code{lessExcise(percent)}. This is not taken back.
      </p>
      <Field
        label="Amount (KSh)"
        value={amount}
        onChange={setAmount}
        error={tried ? errorOf(read) : undefined}
        input={{ inputMode: "numeric", autoComplete: "off", name: "amount" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText="Sending…">
        Credit the wallet
      </Button>
    </form>
  );
}
