import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import type { Schemas } from "../../../api/client";
import { useExcise } from "../../../api/use-excise";
import { Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Notice } from "../../../components/Notice";
import { errorOf } from "../../../lib/parsed";
import { readConfirmedAmount } from "./typed-codes";
import { ACTS, type CaseAct, type SetAside } from "./set-asides";

export type CaseDecision = Schemas["SetAsideDecision"] & { act: CaseAct };
type Case = { item: SetAside; act: CaseAct };

type Props = {
  asked: Case | null;
  busy: boolean;
  /** Why the last try was not done: what was typed stays. */
  problem: string | undefined;
  onClose: () => void;
  onDecided: (item: SetAside, decision: CaseDecision) => void;
};

/** Asks before a case is closed, for what that needs. */
export const SetAsideDialog = ({ asked, onClose, busy, ...form }: Props) => (
  <Dialog open={asked !== null} title={asked ? ACTS[asked.act].title : ""} onClose={onClose} busy={busy}>
    {asked && <SetAsideForm asked={asked} busy={busy} {...form} />}
  </Dialog>
);

function SetAsideForm({ asked: { item, act }, busy, problem, onDecided }: Omit<Props, "asked" | "onClose"> & { asked: Case }) {
  const [amount, setAmount] = useState(String(item.reportedAmount ?? ""));
  const [receipt, setReceipt] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const percent = useExcise();

  const credits = act === "credit";
  // What M-Pesa has named is not replaced by a typed one.
  const takesReceipt = !item.receipt && (credits || act === "paid");
  const read = readConfirmedAmount(amount);
  const noReceipt = credits && takesReceipt && receipt.trim() === "";
  const noReason = reason.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (noReceipt || noReason || (credits && !read.ok)) return;
    const decision: CaseDecision = { act, reason: reason.trim() };
    if (credits && read.ok) decision.amount = read.value;
    if (takesReceipt && receipt.trim()) decision.receipt = receipt.trim().toUpperCase();
    // What M-Pesa has reported since is not dismissed unseen.
    if (act === "dismiss") {
      const { reportedAmount = null, receipt: told = null, reason: why = null } = item;
      decision.seen = { reportedAmount, receipt: told, reason: why };
    }
    onDecided(item, decision);
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>{ACTS[act].does(item, percent)}</p>
      {credits && (
        <Field
          label="Amount (KSh)"
          hint="What M-Pesa's portal shows as received."
          value={amount}
          onChange={setAmount}
          error={tried ? errorOf(read) : undefined}
          input={{ inputMode: "numeric", autoComplete: "off", name: "amount" }}
        />
      )}
      {takesReceipt && (
        <Field
          label={credits ? "M-Pesa receipt" : "M-Pesa receipt (optional)"}
          value={receipt}
          onChange={setReceipt}
          error={tried && noReceipt ? "Give the M-Pesa receipt of this payment." : undefined}
          input={{ autoComplete: "off", autoCapitalize: "characters", name: "receipt" }}
        />
      )}
      <Field
        label="Reason"
        value={reason}
        onChange={setReason}
        error={tried && noReason ? "Give the reason: it is kept with the case." : undefined}
        input={{ autoComplete: "off", maxLength: 200, name: "reason" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isLoading={busy} loadingText="Sending…">
        {ACTS[act].name}
      </Button>
    </form>
  );
}
