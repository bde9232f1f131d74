import { Countdown } from "../../components/Countdown";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import { eastAfricaTime } from "../../lib/time";
import styles from "./DeadlineCard.module.css";
import type { Gameweek } from "./use-gameweek";
import { msg, str } from "../../lib/i18n";

type Props = {
  gameweek: Gameweek;
  /** For a player: where they stand in it, in a sentence, and whether they are in. */
  own?: { text: string; isIn: boolean };
};

/** When the doors close, how long that is, and whether the player is in. */
export function DeadlineCard({ gameweek, own }: Props) {
  const { status, open, isError, refetch } = gameweek;
  if (isError) return <ErrorState text={msg("The gameweek could not be read just now.")} onRetry={() => void refetch()} />;
  if (!status) return <DeadlineCardSkeleton own={own !== undefined} />;
  if (!status.gameweek || !status.deadline) return <p>{msg("There is no gameweek to play just now.")}</p>;

  return (
    <section className={styles.deadline} aria-label={msg(str`Gameweek ${status.gameweek}`)}>
      <div>
        <p className={styles.name}>{msg(str`Gameweek ${status.gameweek}`)}</p>
        <p className="quiet small">
          {open ? msg("Deadline") : msg("Deadline was")} <span className="whole">{eastAfricaTime(new Date(status.deadline))}</span>
        </p>
      </div>
      <p className={styles.left} data-open={open}>
        {open ? (
          <>
            <span className={styles.time}>
              <Countdown status={status} />
            </span>
            <span className={`quiet small ${styles.unit}`}>{msg("left to join")}</span>
          </>
        ) : (
          <span>{msg("The deadline has passed.")}</span>
        )}
      </p>
      {own && <p className={`${styles.line} ${own.isIn ? styles.in : "quiet"}`}>{own.text}</p>}
      {!open && status.nextOpensBy && (
        <p className={`quiet small ${styles.line}`}>
          {msg(str`The next gameweek opens when this one is settled, or else on ${eastAfricaTime(new Date(status.nextOpensBy))}.`)}
        </p>
      )}
    </section>
  );
}

export const DeadlineCardSkeleton = ({ own }: { own: boolean }) => <Skeleton height={own ? "6.25rem" : "4.75rem"} />;
