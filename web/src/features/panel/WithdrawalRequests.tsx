import { Button } from "@aws-amplify/ui-react";
import { Card } from "../../components/Card";
import { ErrorState } from "../../components/ErrorState";
import { Notice } from "../../components/Notice";
import { Skeleton } from "../../components/Skeleton";
import { ksh } from "../../lib/money";
import { eastAfricaTime } from "../../lib/time";
import { useWithdrawals } from "./use-withdrawals";
import styles from "./WithdrawalRequests.module.css";

/** Who waits for money, and where it goes. */
export function WithdrawalRequests() {
  const { withdrawals, isError, refetch, marking, problem, markDone } = useWithdrawals();
  return (
    <Card
      title="Withdrawal Requests"
      aside={
        <Button variation="link" size="small" onClick={() => void refetch()}>
          Refresh
        </Button>
      }
    >
      {problem && <Notice tone="error">{problem}</Notice>}
      {isError && <ErrorState text="The requests could not be read just now." onRetry={() => void refetch()} />}
      {!withdrawals && !isError && <Skeleton height="6rem" />}
      {withdrawals?.length === 0 && <p className="quiet">No withdrawal requests.</p>}
      <ul className={styles.list}>
        {withdrawals?.map((item) => (
          <li key={item._id}>
            <div id={`withdrawal-${item._id}`}>
              <p className={styles.amount}>{ksh(item.amount)}</p>
              <p>
                {item.username} · <span className="money">{item.mpesaNumber}</span>
              </p>
              <p className="quiet small">
                {eastAfricaTime(new Date(item.createdAt))} · {item.status}
              </p>
              {item.flagged && <p className="small">A new number, within a day of a password reset: look twice.</p>}
            </div>
            {item.status === "pending" && (
              <Button
                isLoading={marking === item._id}
                isDisabled={marking !== undefined}
                loadingText="Marking…"
                onClick={() => void markDone(item._id)}
                aria-describedby={`withdrawal-${item._id}`}
              >
                Mark as Done
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
