import styles from "./Skeleton.module.css";

/** Stands where something will be, in its final size, so that nothing moves when it comes. */
export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}

/** Rows that are to come, each of that height: a name and a figure. */
export const RowsSkeleton = ({ count, height }: { count: number; height: string }) => (
  <div className={styles.rows} aria-hidden="true">
    {Array.from({ length: count }, (_, i) => (
      <div key={i} style={{ height }}>
        <Skeleton width="min(45%, 11rem)" />
        <Skeleton width="min(15%, 3rem)" />
      </div>
    ))}
  </div>
);
