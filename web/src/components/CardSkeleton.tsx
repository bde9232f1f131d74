import { Card as KitCard } from "@aws-amplify/ui-react";
import styles from "./Card.module.css";
import { RowsSkeleton, Skeleton } from "./Skeleton";

/** A card that is to come: its head and its rows; where nothing else is said a league's ten. */
export const CardSkeleton = ({ rows = 10, height = "3.25rem" }: { rows?: number; height?: string }) => (
  <KitCard variation="outlined" className={styles.card ?? ""} aria-hidden="true">
    <div className={styles.head}>
      <Skeleton width="min(40%, 10rem)" height="1.4625rem" />
      <Skeleton width="min(25%, 6rem)" height="1.4625rem" />
    </div>
    <RowsSkeleton count={rows} height={height} />
  </KitCard>
);
