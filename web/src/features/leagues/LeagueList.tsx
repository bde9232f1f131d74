import { Button } from "@aws-amplify/ui-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ErrorState } from "../../components/ErrorState";
import { Skeleton } from "../../components/Skeleton";
import { GroupCard, isOwn } from "./GroupCard";
import styles from "./LeagueList.module.css";
import { leaguesQuery, type Amount, type League } from "./queries";

type Props = { gameweek: number; entryAmount: Amount; ownFplId: string | undefined };

/** The groups of one amount, the player's own first. */
export function LeagueList({ gameweek, entryAmount, ownFplId }: Props) {
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    leaguesQuery(gameweek, entryAmount),
  );
  if (!data) {
    if (isError) return <ErrorState text="The leagues could not be read just now." onRetry={() => void refetch()} />;
    return (
      <div className={styles.groups} aria-busy="true">
        <Skeleton height="24rem" />
        <Skeleton height="24rem" />
      </div>
    );
  }
  const leagues = ownFirst(data.pages.flatMap((page) => page.leagues), ownFplId);
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
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} isLoading={isFetchingNextPage} loadingText="Loading...">
          Show more groups
        </Button>
      )}
    </>
  );
}

/** The player's own group first, the rest as they came; a group that two pages carry is shown once. */
export function ownFirst(leagues: readonly League[], ownFplId: string | undefined): League[] {
  const once = [...new Map(leagues.map((league) => [league._id, league])).values()];
  const [own, others] = [true, false].map((wanted) => once.filter((league) => isOwn(league, ownFplId) === wanted));
  return [...(own ?? []), ...(others ?? [])];
}
