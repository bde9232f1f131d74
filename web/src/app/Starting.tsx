import { Mark } from "../components/Wordmark";
import styles from "./Starting.module.css";

export function Starting() {
  return (
    <main className={styles.starting}>
      <Mark size={56} />
      <p role="status">Loading...</p>
    </main>
  );
}
