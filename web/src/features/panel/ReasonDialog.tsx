import { Button } from "@aws-amplify/ui-react";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";

type Props = {
  open: boolean;
  title: string;
  /** What the act does. */
  text: string;
  action: string;
  /** Whether there has to be a reason: players read it. */
  required: boolean;
  onClose: () => void;
  onGiven: (reason: string) => void;
};

const LONGEST_REASON = 200;

/** Asks before an act, and for its reason. */
export const ReasonDialog = ({ open, title, onClose, ...form }: Props) => (
  <Dialog open={open} title={title} onClose={onClose}>
    <ReasonForm {...form} />
  </Dialog>
);

function ReasonForm({ text, action, required, onGiven }: Omit<Props, "open" | "title" | "onClose">) {
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const missing = required && reason.trim() === "";

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing) onGiven(reason.trim());
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <p>{text}</p>
      <Field
        label={required ? "Reason" : "Reason (optional)"}
        value={reason}
        onChange={setReason}
        error={tried && missing ? "Give the reason: players read it." : undefined}
        input={{ autoComplete: "off", maxLength: LONGEST_REASON, name: "reason" }}
      />
      <Button type="submit" variation="primary" isFullWidth>
        {action}
      </Button>
    </form>
  );
}
