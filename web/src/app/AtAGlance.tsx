import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { gameweekStatusQuery } from "../api/queries";
import type { listQuery } from "../api/list";
import { Card } from "../components/Card";
import { ErrorState } from "../components/ErrorState";
import { Skeleton } from "../components/Skeleton";
import { waitingCasesQuery } from "../features/accounts/panel/cases";
import { approvalsQuery } from "../features/admin/approvals";
import { pendingQuery } from "../features/payments/panel/typed-codes";
import { setAsidesQuery } from "../features/payments/panel/set-asides";
import { waitingQuery } from "../features/settlement/panel/waiting-leagues";
import { isPayable, withdrawalsQuery } from "../features/withdrawals/panel/requests";
import { productNow } from "../lib/clock";
import { ageOf } from "../lib/time";
import { Machines } from "./Machines";
import { MoneyOfGameweek } from "./MoneyOfGameweek";
import { Stale } from "../panel/Stale";
import { owedQuery } from "../panel/winners-preview";
import styles from "./Panel.module.css";

/** What an admin looks for first: what waits, and since when, the gameweek's money, what the machines have found. */
export function AtAGlance() {
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const now = status ? productNow(status.clock) : null;
  return (
    <div className={styles.glance}>
      <Card title="What waits for you">
        <Waits now={now} />
      </Card>
      <Card title="This gameweek’s money">
        {isError && status && <Stale />}
        {isError && !status ? (
          <ErrorState text="The gameweek could not be read just now." onRetry={() => void refetch()} />
        ) : status ? (
          <MoneyOfGameweek status={status} />
        ) : (
          <Skeleton height="8rem" />
        )}
      </Card>
      <Card title="What the machines say">
        <Machines now={now} />
      </Card>
    </div>
  );
}

type Waiting = {
  name: string;
  to: string;
  /** When each began to wait; undefined while that is not known. */
  since: readonly string[] | undefined;
  failed: boolean;
  /** The list goes on, after what was read of it. */
  more: boolean;
};

/**
 * What has been loaded of a list. The lists further down reload it, and a failed next page does not make this part stale.
 * `waitingFirst`: the list begins with what waits, so the first item that does not wait ends the count.
 */
function useWaiting<T>(query: ReturnType<typeof listQuery<T>>, since: (item: T) => string | null, waitingFirst = false) {
  const { data, isError, isFetchNextPageError, hasNextPage } = useInfiniteQuery(query);
  const all = data?.pages.flatMap((page) => page.items.map(since));
  return {
    since: all?.filter((at) => at !== null),
    failed: isError && !isFetchNextPageError,
    more: hasNextPage && !(waitingFirst && all?.includes(null)),
  };
}

function Waits({ now }: { now: number | null }) {
  const leagues = useInfiniteQuery(waitingQuery);
  const owed = useQuery(owedQuery);
  const sinceOfLeagues = leagues.data?.pages.flatMap(({ waiting }) => waiting.map(({ since }) => since));
  const rows: Waiting[] = [
    { name: "Withdrawals", to: "#withdrawals", ...useWaiting(withdrawalsQuery, (one) => (isPayable(one, now) ? one.createdAt : null)) },
    { name: "Typed codes", to: "#codes", ...useWaiting(pendingQuery, ({ createdAt }) => createdAt) },
    { name: "Set aside", to: "#set-aside", ...useWaiting(setAsidesQuery, ({ createdAt }) => createdAt) },
    {
      name: "Gameweeks to end",
      to: "#gameweeks",
      since: owed.data?.flatMap(({ state, finalAt }) => (state === "final" && finalAt ? [finalAt] : [])),
      failed: owed.isError,
      more: false,
    },
    { name: "Leagues", to: "#waiting-leagues", since: sinceOfLeagues, failed: leagues.isError && !leagues.isFetchNextPageError, more: leagues.hasNextPage },
    { name: "Cases", to: "/panel/cases", ...useWaiting(waitingCasesQuery, ({ state, since }) => (state === "open" ? since : null), true) },
    // The first page has all that wait.
    { name: "Approvals", to: "/panel/approvals", ...useWaiting(approvalsQuery, (one) => (one.state === "waiting" ? one.proposedAt : null)), more: false },
  ];
  return (
    <ul className={styles.waits}>
      {rows.map((row) => (
        <li key={row.name}>
          <Row row={row} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row: { name, to, since, failed, more }, now }: { row: Waiting; now: number | null }) {
  const oldest = since && since.length > 0 && now !== null ? Math.min(...since.map((at) => Date.parse(at))) : null;
  const said = (
    <>
      <b>
        {name}: {inWords(since, failed, more)}
      </b>
      {oldest !== null && now !== null && <small>the oldest {ageOf(now - oldest)}</small>}
      {since && failed && <Stale />}
    </>
  );
  // Where nothing is to be done or known yet, it leads nowhere.
  if (since ? since.length === 0 && !more : !failed) return <span>{said}</span>;
  return to.startsWith("#") ? <a href={to}>{said}</a> : <Link to={to}>{said}</Link>;
}

function inWords(since: Waiting["since"], failed: boolean, more: boolean): string {
  if (!since) return failed ? "could not be read" : "…";
  if (since.length === 0) return more ? "none so far, the list goes on" : "0";
  return more ? `${since.length} or more` : String(since.length);
}
