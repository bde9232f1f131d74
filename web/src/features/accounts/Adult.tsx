import { useId } from "react";
import styles from "./Adult.module.css";
import { msg } from "../../lib/i18n";

type Props = { checked: boolean; onChange: (checked: boolean) => void; error: string | undefined };

/** The tick without which nobody registers (docs/departures.md). */
export function Adult({ checked, onChange, error }: Props) {
  const errorId = useId();
  return (
    <div>
      <label className={styles.adult}>
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
        />
        {msg("I am 18 or older.")}
      </label>
      {error && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
