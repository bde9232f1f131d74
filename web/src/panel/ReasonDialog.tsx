import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../components/Dialog";
import { Field } from "../components/Field";
import { Notice } from "../components/Notice";

type Props = {
  open: boolean;
  title: string;
  /** What the act does. */
  text: string;
  action: string;
  /** Whether there has to be a reason. */
  required: boolean;
  /** What is said where it is missing. */
  missing?: string;
  /** What it is decided by is not known now. */
  blocked?: boolean;
  busy: boolean;
  /** Why the last try was not done: what was typed stays. */
  problem: string | undefined;
  onClose: () => void;
  onGiven: (reason: string) => void;
};

const LONGEST_REASON = 200;

/** Asks before an act, and for its reason; it is there until the act is done. */
export const ReasonDialog = ({ open, title, onClose, ...form }: Props) => (
  <Dialog open={open} title={title} onClose={onClose} busy={form.busy}>
    <ReasonForm {...form} />
  </Dialog>
);

/** The question itself, for a dialog that tells more. */
export function ReasonForm({ text, action, required, missing, blocked = false, busy, problem, onGiven }: Omit<Props, "open" | "title" | "onClose">) {
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const isMissing = required && reason.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isMissing) onGiven(reason.trim());
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>{text}</p>
      <Field
        label={required ? "Reason" : "Reason (optional)"}
        value={reason}
        onChange={setReason}
        error={tried && isMissing ? (missing ?? "Give the reason: players read it.") : undefined}
        input={{ autoComplete: "off", maxLength: LONGEST_REASON, name: "reason" }}
      />
      {problem && <Notice tone="error">{problem}</Notice>}
      <Button type="submit" variation="primary" isFullWidth isDisabled={blocked || busy} isLoading={busy} loadingText="Sending…">
        {action}
      </Button>
    </form>
  );
}
