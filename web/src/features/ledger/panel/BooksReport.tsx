import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "../../../components/ErrorState";
import { Skeleton } from "../../../components/Skeleton";
import { Accounts } from "./Accounts";
import { booksQuery } from "./books";
import styles from "./Books.module.css";
import { LastReading } from "./LastReading";
import { MoneyByDay } from "./MoneyByDay";
import { Reversals } from "./Reversals";

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
      <Accounts books={books} refreshing={isFetching} onRefresh={() => void refetch()} />
      {books.report && <LastReading report={books.report} />}
      <Reversals reversals={books.reversals} />
      <div className={styles.wide}>
        <MoneyByDay days={books.days} />
      </div>
    </>
  );
}
