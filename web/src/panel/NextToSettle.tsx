import { Notice } from "../components/Notice";
import { count } from "../lib/count";
import { leagueNumber } from "../lib/gameweek";
import { ksh } from "../lib/money";
import styles from "./Figures.module.css";
import type { Preview } from "./winners-preview";

/** `1 league pays`, `2 leagues pay`. */
const leaguesPay = (count: number) => (count === 1 ? "1 league pays" : `${count} leagues pay`);

type Props = {
  preview: Preview;
  /** Which gameweek it is, where it is not the next. */
  title?: string;
};

/** What a press would pay: how many leagues, by amount, what stays as the fee, and who would wait. */
export function NextToSettle({ preview, title }: Props) {
  const { gameweek, state, leagues, toPay, fee, feePercent, refused, unread, settled } = preview;
  const amounts = preview.amounts.filter((amount) => amount.leagues > 0);
  return (
    <div className={styles.next}>
      <p>
        {title ? (
          <b>{title}</b>
        ) : (
          <>
            Next to settle: <b>gameweek {gameweek}</b>
          </>
        )}{" "}
        ({state}).{" "}
        {leagues === 0 ? (
          "No league is left to pay."
        ) : (
          <>
            {leaguesPay(leagues)} up to <b className="money">{ksh(toPay)}</b>.
          </>
        )}
      </p>
      {amounts.length > 0 && (
        <dl className={styles.standing}>
          {amounts.map(({ entryAmount, leagues, players, toPay }) => (
            <div key={entryAmount}>
              <dt>
                {ksh(entryAmount)}: {count(leagues, "league")}, {count(players, "player")}
              </dt>
              <dd className="money">{ksh(toPay)}</dd>
            </div>
          ))}
          <div>
            <dt>Fee, {feePercent} % of what they collected</dt>
            <dd className="money">{ksh(fee)}</dd>
          </div>
        </dl>
      )}
      {settled > 0 && <p className="small">{settled === 1 ? "1 league is" : `${settled} leagues are`} settled already.</p>}
      {unread > 0 && <p className="small">{unread === 1 ? "1 league is" : `${unread} leagues are`} still being read, and paid as soon as that is done.</p>}
      <Waiting preview={preview} />
      {refused && <Notice tone="warning">{refused}</Notice>}
    </div>
  );
}

const nameOf = (id: string) => `${ksh(Number(id.split("-")[2]))}, Group #${leagueNumber(id)}`;

function Waiting({ preview: { waiting, waitingLeagues } }: { preview: Preview }) {
  if (waiting === 0) return null;
  return (
    <details className={styles.waiting}>
      <summary>{waiting === 1 ? "1 league would wait for you" : `${waiting} leagues would wait for you`}</summary>
      <ul>
        {waitingLeagues.map(({ _id, why }) => (
          <li key={_id}>
            {nameOf(_id)}: {why}
          </li>
        ))}
      </ul>
      {waitingLeagues.length < waiting && <p className="quiet small">The first {waitingLeagues.length} are shown.</p>}
    </details>
  );
}
