import { Button } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import { Notice } from "./Notice";
import { msg } from "../lib/i18n";

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Null where there is nothing to confirm: then it only tells. */
  action: string | null;
  /** What is confirmed is under way: for a dialog that is there until it is done. */
  busy?: boolean;
  /** Why the last try was not done: it stands where it was pressed. */
  problem?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that is not taken back by another tap. */
export function Confirm({ open, title, children, action, busy = false, problem, onConfirm, onClose }: Props) {
  return (
    <Dialog open={open} title={title} onClose={onClose} busy={busy}>
      {children}
      {problem && <Notice tone="error">{problem}</Notice>}
      <div className="actions">
        <Button isDisabled={busy} onClick={onClose}>{action === null ? msg("Got it") : msg("Cancel")}</Button>
        {action !== null && (
          <Button variation="primary" isLoading={busy} loadingText={msg("One moment...")} onClick={onConfirm}>
            {action}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
