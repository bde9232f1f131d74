import { Button } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { Dialog } from "../components/Dialog";
import { Notice } from "../components/Notice";

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  action: string;
  busy: boolean;
  /** Why the last try was not done. */
  problem: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks before an act; it is there until the act is done, so that a refusal stands where it was pressed. */
export const ConfirmAct = ({ open, title, children, action, busy, problem, onClose, onConfirm }: Props) => (
  <Dialog open={open} title={title} onClose={onClose} busy={busy}>
    {children}
    {problem && <Notice tone="error">{problem}</Notice>}
    <div className="actions">
      <Button isDisabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button variation="primary" isLoading={busy} loadingText="Sending…" onClick={onConfirm}>
        {action}
      </Button>
    </div>
  </Dialog>
);
