import { Button } from "@aws-amplify/ui-react";
import type { ReactNode } from "react";
import { ErrorState } from "./ErrorState";
import styles from "./Rows.module.css";
import { Skeleton } from "./Skeleton";
import { msg } from "../lib/i18n";

type Props<T> = {
  items: readonly T[] | undefined;
  failed: boolean;
  onRetry: () => void;
  /** The next page, where there is one. */
  more?: { load: () => void; loading: boolean } | null;
  /** What is said where the list cannot be had, and where it is empty. */
  unread: string;
  empty: string;
  id: (item: T) => string;
  children: (item: T) => ReactNode;
};

/** A list with all its states: loading, not to be had, empty, and a further page. */
export function Rows<T>({ items, failed, onRetry, more, unread, empty, id, children }: Props<T>) {
  if (failed) return <ErrorState text={unread} onRetry={onRetry} />;
  if (!items) {
    return (
      <div className="stack" aria-busy="true">
        <Skeleton height="3.5rem" />
        <Skeleton height="3.5rem" />
        <Skeleton height="3.5rem" />
      </div>
    );
  }
  if (items.length === 0) return <p className="quiet">{empty}</p>;
  return (
    <>
      <ul className={styles.rows}>
        {items.map((item) => (
          <li key={id(item)}>{children(item)}</li>
        ))}
      </ul>
      {more && (
        <Button onClick={more.load} isLoading={more.loading} loadingText={msg("Loading...")}>{msg("Show more")}</Button>
      )}
    </>
  );
}
