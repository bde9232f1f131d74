import { Loader } from "@aws-amplify/ui-react";
import { useEffect, useRef, type ReactNode } from "react";
import { openModal } from "./open-modal";
import styles from "./Overlay.module.css";

type Props = {
  title: string;
  /** Which step it is at, and what the phone should show. */
  detail?: string | undefined;
  children?: ReactNode;
};

/** Covers the whole screen while something runs that must not be started twice. */
export function Overlay({ title, detail, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const giveUp = openModal(dialog);
    return () => {
      giveUp();
      if (dialog.open) dialog.close();
    };
  }, []);

  return (
    <dialog
      ref={ref}
      className={styles.overlay}
      aria-label={title}
      onCancel={(event) => event.preventDefault()}
      // A browser may close it all the same (Escape twice): what runs is still running.
      onClose={(event) => {
        event.stopPropagation();
        if (ref.current?.isConnected) ref.current.showModal();
      }}
    >
      <div className={styles.content} role="status">
        <Loader size="large" aria-hidden="true" />
        <p className={styles.title}>{title}</p>
        {detail && <p>{detail}</p>}
        {children}
      </div>
    </dialog>
  );
}
