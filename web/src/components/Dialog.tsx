import { useEffect, useId, useRef, type ReactNode, type RefObject } from "react";
import { openModal } from "./open-modal";
import styles from "./Dialog.module.css";
import { msg } from "../lib/i18n";

type Props = {
  open: boolean;
  title: string;
  /**
   * Not called while `busy`: what is running is not abandoned by a stray tap. Without it the dialog is there until its own
   * content has it closed.
   */
  onClose?: () => void;
  busy?: boolean;
  children: ReactNode;
};

/**
 * Tells of a tap on the dark area. That is the dialog's own, as what is in it fills it; a press that only began or
 * ended there, as when text is marked, gives the dialog its click as well, and is none.
 */
function useTapBeside(ref: RefObject<HTMLDialogElement | null>, onTap: () => void) {
  const latest = useRef(onTap);
  useEffect(() => void (latest.current = onTap));
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    let beside = false;
    const isBeside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      // Its scroll bar is its own too.
      return target === dialog && !(left < x && x < right && top < y && y < bottom);
    };
    const onDown = (event: MouseEvent) => void (beside = isBeside(event));
    const onUp = (event: MouseEvent) => void (beside &&= isBeside(event));
    const onClick = (event: MouseEvent) => {
      if (beside && isBeside(event)) latest.current();
    };
    dialog.addEventListener("pointerdown", onDown);
    dialog.addEventListener("pointerup", onUp);
    dialog.addEventListener("click", onClick);
    return () => {
      dialog.removeEventListener("pointerdown", onDown);
      dialog.removeEventListener("pointerup", onUp);
      dialog.removeEventListener("click", onClick);
    };
  }, [ref]);
}

/**
 * A native modal dialog: the browser keeps the focus in it and gives it back, and closes it by Escape and by the
 * phone's back. A tap beside it closes it too.
 */
export function Dialog({ open, title, onClose, busy = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useTapBeside(ref, () => {
    if (!busy) onClose?.();
  });

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!open && dialog.open) dialog.close();
    return open ? openModal(dialog) : undefined;
  }, [open]);

  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        if (busy || !onClose) event.preventDefault();
      }}
      onClose={(event) => {
        // Closed by Escape or the phone's back button rather than by us.
        if (event.target !== event.currentTarget || !open) return;
        if (onClose) onClose();
        else if (event.currentTarget.isConnected) event.currentTarget.showModal();
      }}
    >
      {open && (
        <div className={styles.body}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {children}
          {/* Last in order, so that the focus begins in what the dialog is about. */}
          {onClose && (
            <button type="button" className={styles.close} onClick={onClose} disabled={busy} aria-label={msg("Close")}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M6 6l12 12M18 6L6 18" />
              </svg>
            </button>
          )}
        </div>
      )}
    </dialog>
  );
}
