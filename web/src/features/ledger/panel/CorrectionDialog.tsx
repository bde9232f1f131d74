import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";
import { errorOf } from "../../../lib/parsed";
import { readCorrection } from "./corrections";

type Props = {
  open: boolean;
  username: string;
  busy: boolean;
  /** Why the last try was not done: what was typed stays. */
  problem: string | undefined;
  onClose: () => void;
  onGiven: (amount: number, reason: string) => void;
};

/** Asks what a wallet is given, or what is taken out of it, and why. */
export const CorrectionDialog = ({ open, onClose, ...form }: Props) => (
  <Dialog open={open} title="Correct the wallet" onClose={onClose} busy={form.busy}>
    <CorrectionForm {...form} />
  </Dialog>
);

function CorrectionForm({ username, busy, problem, onGiven }: Omit<Props, "open" | "onClose">) {
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const read = readCorrection(amount);
  const isMissing = reason.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.ok && !isMissing) onGiven(read.value, reason.trim());
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>
        More than 0 is given to {username}, less than 0 is taken out of the wallet. What the wallet does not cover is written
        off. The player is told, and reads the reason.
      </p>
      <Field
        label="Amount (KSh), for example -400"
        value={amount}
        onChange={setAmount}
        error={tried ? errorOf(read) : undefined}
        input={{ autoComplete: "off", name: "amount" }}
      />
      <Field
        label="Reason"
        value={reason}
        onChange={setReason}
        error={tried && isMissing ? "Give the reason: the player reads it." : undefined}
        input={{ autoComplete: "off", maxLength: 200, name: "reason" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText="Sending…">
        Correct the wallet
      </Button>
    </form>
  );
}
