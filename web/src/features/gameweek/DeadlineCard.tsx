import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import { eastAfricaTime } from "../../lib/time";
import { Countdown } from "./Countdown";
import styles from "./DeadlineCard.module.css";
import type { Gameweek } from "./use-gameweek";

/** When the doors close, and how long that is. */
export function DeadlineCard({ gameweek }: { gameweek: Gameweek }) {
  const { status, open, isError, refetch } = gameweek;
  if (isError) return <ErrorState text="The gameweek could not be read just now." onRetry={() => void refetch()} />;
  if (!status) return <Skeleton height="4.75rem" />;
  if (!status.gameweek || !status.deadline) return <p>There is no gameweek to play just now.</p>;

  return (
    <section className={styles.deadline} aria-label={`Gameweek ${status.gameweek}`}>
      <div>
        <p className={styles.name}>Gameweek {status.gameweek}</p>
        <p className="quiet small">
          {open ? "Deadline" : "Deadline was"} <span className="money">{eastAfricaTime(new Date(status.deadline))}</span>
        </p>
      </div>
      <p className={styles.left} data-open={open}>
        {open ? (
          <>
            <span className={styles.time}>
              <Countdown status={status} />
            </span>
            <span className={`quiet small ${styles.unit}`}>left to join</span>
          </>
        ) : (
          <span>The deadline has passed.</span>
        )}
      </p>
    </section>
  );
}
