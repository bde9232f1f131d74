import type { ReactNode } from "react";
import { ErrorState } from "./ErrorState";
import styles from "./Rows.module.css";
import { ShowMore, type More } from "./ShowMore";
import { RowsSkeleton } from "./Skeleton";
import { msg } from "../lib/i18n";

type Props<T> = {
  items: readonly T[];
  /** The next page, where there is one. */
  more?: More | null;
  /** What is said where there are none. */
  empty: ReactNode;
  id: (item: T) => string;
  children: (item: T) => ReactNode;
};

export function Rows<T>({ items, more, empty, id, children }: Props<T>) {
  if (items.length === 0) return typeof empty === "string" ? <p className="quiet">{empty}</p> : empty;
  return (
    <>
      <ul className={styles.rows}>
        {items.map((item) => (
          <li key={id(item)}>{children(item)}</li>
        ))}
      </ul>
      {more && <ShowMore more={more} label={msg("Show more")} />}
    </>
  );
}

type ListProps<T> = Omit<Props<T>, "items" | "more"> & {
  list: { items: readonly T[] | undefined; failed: boolean; refresh: () => void; more?: More | null };
  /** What is said where it cannot be had. */
  unread: string;
};

/** A list that is read, with all its states: loading, not to be had, empty, and a further page. */
export function ListRows<T>({ list: { items, failed, refresh, more }, unread, ...rows }: ListProps<T>) {
  if (failed) return <ErrorState text={unread} onRetry={refresh} />;
  if (items) return <Rows items={items} more={more ?? null} {...rows} />;
  return (
    <div aria-busy="true">
      <RowsSkeleton count={3} height="5rem" />
    </div>
  );
}
