import { Button } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import { msg } from "../lib/i18n";

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Null where there is nothing to confirm: then it only tells. */
  action: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that is not taken back by another tap. */
export function Confirm({ open, title, children, action, onConfirm, onClose }: Props) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      {children}
      <div className="actions">
        <Button onClick={onClose}>{action === null ? msg("Got it") : msg("Cancel")}</Button>
        {action !== null && (
          <Button variation="primary" onClick={onConfirm}>
            {action}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
