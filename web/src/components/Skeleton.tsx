import styles from "./Skeleton.module.css";

/** Stands where something will be, in its final size, so that nothing moves when it comes. */
export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
