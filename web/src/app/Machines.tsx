import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client";
import { answerOf } from "../api/refusal";
import { Skeleton } from "../components/Skeleton";
import { booksQuery, floatSays } from "../features/ledger/panel/books";
import { plural } from "../lib/plural";
import { ageOf, eastAfricaTime } from "../lib/time";
import styles from "../panel/Panel.module.css";
import { Stale } from "../panel/Stale";

const BOOKS_MS = 5 * 60_000;
const BACKLOG_MS = 60_000;
/** The alarm `calendar` rings then, too (docs/runbook.md). */
const SILENT_MS = 86_400_000;

type Backlog = Schemas["Backlog"];

const backlogQuery = queryOptions({
  queryKey: ["backlog"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/backlog", { signal })),
  refetchInterval: BACKLOG_MS,
});

/** What runs by itself: the reading of the official game, the queues, the nightly books. `now`: null while it is not known. */
export const Machines = ({ now }: { now: number | null }) => (
  <>
    <Jobs now={now} />
    <Books />
  </>
);

function Jobs({ now }: { now: number | null }) {
  const { data: backlog, isError } = useQuery(backlogQuery);
  if (!backlog) return isError ? <p>What waits for the jobs could not be read just now.</p> : <Skeleton height="4rem" />;
  const { calendarReadAt } = backlog;
  const silent = calendarReadAt && now !== null ? now - Date.parse(calendarReadAt) : null;
  const failed = failures(backlog);
  return (
    <>
      {isError && <Stale />}
      {now !== null && (
        <p className={silent !== null && silent < SILENT_MS ? undefined : styles.warning}>
          {silent === null ? "The official game has not been read yet." : `The official game was read ${ageOf(silent)} ago.`}
        </p>
      )}
      <p>{waits(backlog)}</p>
      {failed ? (
        <p className={styles.warning}>
          <b>Failed for good: {failed}.</b> Nothing of it is lost: it waits among the dead letters. The runbook’s part “A dead letter” says how to send it back.
        </p>
      ) : (
        <p>Nothing has failed for good.</p>
      )}
    </>
  );
}

const waits = ({ queues }: Backlog) => {
  const named = queues.filter(({ waiting }) => waiting > 0).map(({ name, waiting }) => `${waiting} of ${name}`);
  return named.length > 0 ? `In the queues: ${named.join(", ")}.` : "Nothing waits in the queues.";
};

const failures = ({ queues, failedEvents }: Backlog) => {
  const messages = queues.filter(({ failed }) => failed > 0).map(({ name, failed }) => `${failed} of ${name}`);
  return [...messages, ...(failedEvents > 0 ? [`${failedEvents} ${plural(failedEvents, "event of a job", "events of jobs")}`] : [])].join(", ");
};

function Books() {
  const { data: books, isError } = useQuery({ ...booksQuery, refetchInterval: BOOKS_MS });
  if (!books) return isError ? <p>The books could not be read just now.</p> : <Skeleton height="6rem" />;
  const { report, payouts } = books;
  return (
    <>
      {isError && <Stale />}
      {report ? (
        <>
          <p>
            The books were read {eastAfricaTime(new Date(report.finishedAt))}:{" "}
            <b>{report.found === 0 ? "everything agreed." : `${report.found} did not agree.`}</b>
          </p>
          <p>{floatSays(report.float)}</p>
        </>
      ) : (
        <p>The books have not been read yet.</p>
      )}
      {payouts.paused && <p>Payouts are stopped: {payouts.reason}</p>}
      <Link className="link-row" to="/panel/books">
        All of the books
      </Link>
    </>
  );
}
