import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect } from "react";
import { useList } from "../../api/list";
import { ENTRIES } from "../../api/queries";
import { CardSkeleton } from "../../components/CardSkeleton";
import { Empty } from "../../components/Empty";
import { ErrorState } from "../../components/ErrorState";
import { ShowMore } from "../../components/ShowMore";
import type { Amount } from "../../lib/amounts";
import { projection } from "../../lib/projection";
import { LeagueCard, isOwn } from "./LeagueCard";
import styles from "./LeagueList.module.css";
import { leaguesQuery, ownLeagueQuery, type League } from "./leagues";
import { msg, str } from "../../lib/i18n";

type Props = {
  gameweek: number;
  entryAmount: Amount;
  /** Whether this gameweek can be joined; undefined until that is known. */
  open: boolean | undefined;
  /** The operator's share in this gameweek, where it is known. */
  feePercent: number | undefined;
  /** How many had joined this gameweek at this amount a minute ago at most, where it is known. */
  entries: number | undefined;
  /** The team that is linked now; empty where none is, undefined for a guest. */
  ownFplId: string | undefined;
  /** What the player has entered this gameweek with, in KES. */
  ownAmount: number | undefined;
};

const beforeDeadline = () => msg("The leagues are provisional until the deadline. Then the draw makes the final ones.");
const beforeDraw = () =>
  msg("The deadline has passed and the draw comes next: it makes the final leagues. Until then these are provisional.");

/** The groups of one amount, the player's own first. */
export function LeagueList({ gameweek, entryAmount, open, feePercent, entries, ownFplId, ownAmount }: Props) {
  const { items, failed, refresh, more } = useList(leaguesQuery(gameweek, entryAmount), (league) => league._id);
  const own = useQuery({ ...ownLeagueQuery(gameweek, entryAmount), enabled: ownFplId !== undefined });
  const client = useQueryClient();
  // Another phone of the player's has joined: what is said of the entries is read again.
  const isNews = entries !== undefined && ownAmount === undefined && Boolean(own.data);
  useEffect(() => {
    if (isNews) void client.invalidateQueries({ queryKey: ENTRIES });
  }, [isNews, client]);
  // Or it has joined with this amount, and the list tells of that before the own league is asked for again.
  const mayBeIn = own.data === null && items !== undefined && items.some(({ users }) => users.some(({ fplId }) => fplId === ownFplId));
  useEffect(() => {
    if (mayBeIn) void client.invalidateQueries({ queryKey: ownLeagueQuery(gameweek, entryAmount).queryKey });
  }, [mayBeIn, client, gameweek, entryAmount]);
  // Both at once: the own group would push away what somebody reads. Without it the list is shown as it is.
  const known = items !== undefined && !(own.isLoading && own.failureCount === 0 && own.errorUpdateCount === 0);
  // The first time it is drawn in slices: a phone goes on answering meanwhile.
  const drawn = useDeferredValue(known);
  if (!items || !known || !drawn) {
    if (failed) return <ErrorState text={msg("The leagues could not be read just now.")} onRetry={refresh} />;
    return <LeagueListSkeleton />;
  }
  // An entry keeps its team when another one is linked: which one is linked counts only where it cannot be read.
  const ownTeam = (own.data === undefined ? ownFplId : own.data?.fplId) || undefined;
  const leagues = ownFirst(withOwn(items, own.data?.league), ownTeam);
  if (leagues.length === 0) {
    if (!open) return <Empty text={msg(str`No leagues for ${entryAmount} Shs.`)} />;
    if (ownAmount === entryAmount) {
      const retry = () => {
        refresh();
        void own.refetch();
      };
      return <ErrorState text={msg("The leagues could not be read just now.")} onRetry={retry} />;
    }
    if (ownAmount !== undefined) {
      const elsewhere = msg(str`No leagues for ${entryAmount} Shs yet. Your own entry is in the ${ownAmount} Shs leagues.`);
      return <Empty text={elsewhere} to={`/leagues?amount=${ownAmount}`} go={msg("See your league")} />;
    }
    const text = msg(str`No leagues for ${entryAmount} Shs yet. The first to join starts one.`);
    return <Empty text={text} to="/payment" go={msg("See this gameweek")} />;
  }
  const shown = leagues.reduce((sum, { users }) => sum + users.length, 0);
  return (
    <>
      {open !== undefined && leagues.some(({ state }) => state === "provisional") && (
        <div>
          {entries !== undefined && feePercent !== undefined && <p>{projection({ entryAmount, entries: Math.max(entries, shown) }, feePercent, open)}</p>}
          <p className="quiet small">{open ? beforeDeadline() : beforeDraw()}</p>
        </div>
      )}
      <div className={styles.groups}>
        {leagues.map((league) => (
          <LeagueCard
            key={league._id}
            league={league}
            gameweek={gameweek}
            entryAmount={entryAmount}
            feePercent={feePercent}
            ownFplId={ownTeam}
          />
        ))}
      </div>
      {more && <ShowMore more={more} label={msg("Show more leagues")} />}
    </>
  );
}

/** Stands for the groups until it is known which they are. */
export const LeagueListSkeleton = () => (
  <div className={styles.groups} aria-busy="true">
    <CardSkeleton />
    <CardSkeleton />
  </div>
);

/** The list is some seconds old where the edge has kept it: the own league is newer. */
const withOwn = (leagues: readonly League[], own: League | undefined): League[] =>
  own ? [own, ...leagues.filter(({ _id }) => _id !== own._id)] : [...leagues];

/** The player's own group first, the rest as they came. */
export function ownFirst(leagues: readonly League[], ownFplId: string | undefined): League[] {
  const [own, others] = [true, false].map((wanted) => leagues.filter((league) => isOwn(league, ownFplId) === wanted));
  return [...(own ?? []), ...(others ?? [])];
}
