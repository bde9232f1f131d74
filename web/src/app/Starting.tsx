import { Mark } from "../components/Wordmark";
import styles from "./Starting.module.css";

export function Starting({ text = "Loading..." }: { text?: string }) {
  return (
    <main className={styles.starting}>
      <Mark size={56} />
      <p role="status">{text}</p>
    </main>
  );
}
