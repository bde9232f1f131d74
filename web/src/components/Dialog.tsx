import { useEffect, useId, useRef, type ReactNode } from "react";
import styles from "./Dialog.module.css";

type Props = {
  open: boolean;
  title: string;
  /** Not called while `busy`: what is running is not abandoned by a stray tap. */
  onClose: () => void;
  busy?: boolean;
  children: ReactNode;
};

/** A native modal dialog: the browser keeps the focus in it and gives it back. */
export function Dialog({ open, title, onClose, busy = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);

  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        if (busy) event.preventDefault();
      }}
      onClose={(event) => {
        // Closed by Escape or the phone's back button rather than by us.
        if (event.target === event.currentTarget && open) onClose();
      }}
    >
      {open && (
        <div className={styles.body}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
          {/* Last in order, so that the focus begins in what the dialog is about. */}
          <button type="button" className={styles.close} onClick={onClose} disabled={busy} aria-label="Close">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </button>
        </div>
      )}
    </dialog>
  );
}
