import { Button } from "@aws-amplify/ui-react";
import { useList } from "../../api/list";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import type { Amount } from "../../lib/amounts";
import { GroupCard, isOwn } from "./GroupCard";
import styles from "./LeagueList.module.css";
import { leaguesQuery, type League } from "./queries";

type Props = { gameweek: number; entryAmount: Amount; ownFplId: string | undefined };

/** The groups of one amount, the player's own first. */
export function LeagueList({ gameweek, entryAmount, ownFplId }: Props) {
  const { items, failed, refresh, more } = useList(leaguesQuery(gameweek, entryAmount), (league) => league._id);
  if (!items) {
    if (failed) return <ErrorState text="The leagues could not be read just now." onRetry={refresh} />;
    return (
      <div className={styles.groups} aria-busy="true">
        <Skeleton height="24rem" />
        <Skeleton height="24rem" />
      </div>
    );
  }
  const leagues = ownFirst(items, ownFplId);
  if (leagues.length === 0) {
    return <p className={styles.empty}>No groups for {entryAmount} Shs yet. The first to join starts one.</p>;
  }
  return (
    <>
      <div className={styles.groups}>
        {leagues.map((league) => (
          <GroupCard key={league._id} league={league} gameweek={gameweek} ownFplId={ownFplId} />
        ))}
      </div>
      {more && (
        <Button onClick={more.load} isLoading={more.loading} loadingText="Loading...">
          Show more groups
        </Button>
      )}
    </>
  );
}

/** The player's own group first, the rest as they came. */
export function ownFirst(leagues: readonly League[], ownFplId: string | undefined): League[] {
  const [own, others] = [true, false].map((wanted) => leagues.filter((league) => isOwn(league, ownFplId) === wanted));
  return [...(own ?? []), ...(others ?? [])];
}
