import type { ReactNode } from "react";
import styles from "./BottomBar.module.css";

type Props = { label: string; children: ReactNode; /** It waits at the end of the page instead of lying over it. */ atTheEnd?: boolean };

/** Something to be said on every screen: at the bottom, so that nothing else moves. */
export const BottomBar = ({ label, children, atTheEnd = false }: Props) => (
  <aside className={atTheEnd ? styles.bar : `${styles.bar} ${styles.over}`} aria-label={label}>
    <div className={styles.inner}>{children}</div>
  </aside>
);
