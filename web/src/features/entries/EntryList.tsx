import { Link } from "react-router";
import { moreOf } from "../../api/list";
import { answerInWords } from "../../api/refusal";
import { Card } from "../../components/Card";
import { CopyButton } from "../../components/CopyButton";
import { Empty } from "../../components/Empty";
import { rich } from "../../components/rich";
import { ListRows } from "../../components/Rows";
import { SomethingWrong } from "../../components/SomethingWrong";
import { isSettled, outcomeInWords, stateOf, sumInPlay } from "../../lib/entry-outcome";
import { leagueNumber } from "../../lib/gameweek";
import { ksh, signedKsh } from "../../lib/money";
import { seasonName, type Entry } from "./entries";
import { ShareButton } from "./ShareButton";
import { towardsDebt } from "./standing";
import { useEntries } from "./use-standing";
import styles from "./EntryList.module.css";
import { msg, str } from "../../lib/i18n";

/** A player's own entries, newest gameweek first, with what came of each and of all together. */
export function EntryList() {
  const { read, entries } = useEntries();
  const { data, isError, refetch } = read;
  const newest = entries?.[0];
  // What is still played for is neither won nor lost.
  const inPlay = sumInPlay(entries ?? []);
  const total = (data?.pages[0]?.profitAndLoss ?? 0) + inPlay;
  return (
    <Card title={msg("Entries by gameweek")}>
      {newest && (
        <p className={styles.total}>
          <span>{msg("Profit and loss")}</span>
          <b className={`money ${total < 0 ? styles.loss : ""}`}>{signedKsh(total)}</b>
        </p>
      )}
      {inPlay > 0 && <p className="quiet small">{msg(str`${ksh(inPlay)} in play is not counted yet.`)}</p>}
      <ListRows
        list={{
          items: entries,
          failed: isError && !data,
          refresh: () => void refetch(),
          more: moreOf(read),
        }}
        unread={msg("Your entries could not be read just now.")}
        empty={
          <Empty
            text={msg("You have not joined a league yet.")}
            more={msg("Each gameweek that you play is listed here, with its league and what came of it.")}
            to="/payment"
            go={msg("See this gameweek")}
          />
        }
        id={(entry) => entry.gameweek}
      >
        {(entry) => <Row entry={entry} isPast={entry.season !== newest?.season} />}
      </ListRows>
    </Card>
  );
}

function Row({ entry, isPast }: { entry: Entry; isPast: boolean }) {
  const won = stateOf(entry) === "won";
  const debt = towardsDebt(entry);
  return (
    <>
      <p className={styles.what}>
        <span className={styles.name}>{isPast ? msg(str`Gameweek ${entry.number} of ${seasonName(entry.season)}`) : msg(str`Gameweek ${entry.number}`)}</span>
        <span className="quiet small">
          {msg(str`${ksh(entry.amount)} entry`)}
          {entry.league && (
            <>
              {" · "}
              <League id={entry.league} hasRecord={isSettled(entry)} />
            </>
          )}
        </span>
      </p>
      <p className={styles.outcome}>
        <span className={won ? styles.won : undefined}>{outcomeInWords(entry)}</span>
        {debt && <span className="quiet small">{debt}</span>}
        {entry.refundReason && <span className="quiet small">{answerInWords(entry.refundReason)}</span>}
        {won && typeof entry.rank === "number" && (
          <span className="quiet small">{msg(str`rank ${entry.rank}, ${entry.points} points`)}</span>
        )}
      </p>
      {won && <ShareButton entry={entry} />}
      <SomethingWrong kind="entry" id={entry.gameweek} />
      {entry.line && <Line line={entry.line} gameweek={entry.gameweek} number={entry.number} />}
    </>
  );
}

/** How the entry stands in the draw's list: to be kept, and looked for in it afterwards. */
const Line = ({ line, gameweek, number }: { line: string; gameweek: string; number: number }) => (
  <details className={styles.line}>
    <summary className="small">{msg("Your line in the draw")}</summary>
    <p className="quiet small">
      {rich(
        msg(str`Keep it. The draw of gameweek ${number} is made from a list of such lines, and the [draw’s page] tells how to see that yours is in it as it is here.`),
        (page) => <Link to={`/gameweeks/${gameweek}/draw`}>{page}</Link>,
      )}
    </p>
    <p className={styles.hash}>{line}</p>
    <CopyButton text={line} label={msg(str`Copy your line of gameweek ${number}`)} />
  </details>
);

/** A league's number; once it is settled, the way to how. */
function League({ id, hasRecord }: { id: string; hasRecord: boolean }) {
  const name = msg(str`Group #${leagueNumber(id)}`);
  return hasRecord ? <Link to={`/leagues/${id}/settlement`}>{name}</Link> : name;
}
