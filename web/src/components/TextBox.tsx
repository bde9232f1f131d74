import { useId } from "react";
import styles from "./TextBox.module.css";

type Props = { label: string; value: string; onChange: (value: string) => void; error?: string | undefined; longest: number };

/** A labelled field for more than a line. */
export function TextBox({ label, value, onChange, error, longest }: Props) {
  const id = useId();
  return (
    <p className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={styles.box}
        rows={4}
        value={value}
        maxLength={longest}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </span>
      )}
    </p>
  );
}
