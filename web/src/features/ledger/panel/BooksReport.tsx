import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { Stale } from "../../../panel/Stale";
import { AccountList } from "./AccountList";
import { booksQuery } from "./books";
import styles from "./Books.module.css";
import { LastReading } from "./LastReading";
import { MoneyByDay } from "./MoneyByDay";
import { ReversalList } from "./ReversalList";

/** The books: accounts, what the last reading found, and what moved by day. */
export function BooksReport() {
  const { data: books, isError, isFetching, refetch } = useQuery(booksQuery);
  if (!books) {
    return isError ? (
      <ErrorState text="The books could not be read just now." onRetry={() => void refetch()} />
    ) : (
      <Skeleton height="24rem" />
    );
  }
  return (
    <>
      {isError && <Stale />}
      <AccountList books={books} refreshing={isFetching} onRefresh={() => void refetch()} />
      {books.report && <LastReading report={books.report} />}
      <ReversalList reversals={books.reversals} />
      <div className={styles.wide}>
        <MoneyByDay days={books.days} />
      </div>
    </>
  );
}
