import styles from "./Panel.module.css";

/** Beside figures whose last reading failed: they are those of the reading before it. */
export const Stale = () => <small className={styles.warning}>This could not be read again just now: it may be old.</small>;
