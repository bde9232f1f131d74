import type { ReactNode } from "react";
import styles from "./BottomBar.module.css";

/** Something to be said on every screen: at the bottom, so that nothing else moves. */
export const BottomBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <aside className={styles.bar} aria-label={label}>
    <div className={styles.inner}>{children}</div>
  </aside>
);
