import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/Card";
import { Rows } from "../../components/Rows";
import { gameweekNumber, leagueNumber } from "../../lib/gameweek";
import { ksh, signedKsh } from "../../lib/money";
import { entriesQuery, standingOf, type Entry } from "./entries";
import styles from "./Results.module.css";

/** A player's own entries, newest gameweek first, with what came of each and of all together. */
export function Results() {
  const { data, isError, refetch } = useQuery(entriesQuery);
  return (
    <Card title="Entries by gameweek">
      {data && data.entries.length > 0 && (
        <p className={styles.total}>
          <span>Profit and loss</span>
          <b className={`money ${data.profitAndLoss < 0 ? styles.loss : ""}`}>{signedKsh(data.profitAndLoss)}</b>
        </p>
      )}
      <Rows
        items={data?.entries}
        failed={isError && !data}
        onRetry={() => void refetch()}
        unread="Your entries could not be read just now."
        empty="You have not joined a league yet."
        id={(entry) => entry.gameweek}
      >
        {(entry) => <Row entry={entry} />}
      </Rows>
    </Card>
  );
}

const Row = ({ entry }: { entry: Entry }) => (
  <>
    <p className={styles.what}>
      <span className={styles.name}>Gameweek {gameweekNumber(entry.gameweek)}</span>
      <span className="quiet small">
        {ksh(entry.amount)} entry{entry.league && ` · League #${leagueNumber(entry.league)}`}
      </span>
    </p>
    <p className={styles.outcome}>
      <span className={entry.prize > 0 ? styles.won : undefined}>{standingOf(entry)}</span>
      {entry.prize > 0 && typeof entry.rank === "number" && (
        <span className="quiet small">
          rank {entry.rank}, {entry.points} points
        </span>
      )}
    </p>
  </>
);
