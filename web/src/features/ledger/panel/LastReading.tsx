import { Link } from "react-router";
import type { Schemas } from "../../../api/client";
import { Card } from "../../../components/Card";
import { Notice } from "../../../components/Notice";
import { Rows } from "../../../components/Rows";
import { ksh } from "../../../lib/money";
import { dayName, eastAfricaTime } from "../../../lib/time";
import styles from "../../../panel/Panel.module.css";
import { figureOf, floatSays, playerOf, type Difference } from "./books";

const idOf = ({ kind, on, day }: Difference) => `${kind} ${on} ${day ?? ""}`;
const times = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What the nightly reading of the books found. */
export function LastReading({ report }: { report: Schemas["ReconciliationReport"] }) {
  const { day, startedAt, finishedAt, wallets, moving, found, differences, pausedPayouts } = report;
  const { setAside, setAsides, unclaimed, unclaimedPayments, float } = report;
  return (
    <Card title="Last reading">
      <p className="quiet small">
        The night to {dayName(day)}: begun {eastAfricaTime(new Date(startedAt))}, ended {eastAfricaTime(new Date(finishedAt))}.
      </p>
      {found === 0 ? (
        <Notice tone="success">Everything agrees: {times(wallets, "wallet", "wallets")} with the postings, and the sums with M-Pesa’s side.</Notice>
      ) : (
        <Notice tone="error">
          {times(found, "difference", "differences")} in {times(wallets, "wallet", "wallets")} and the sums.
          {pausedPayouts ? " Payouts were paused for it." : " It was known the night before: payouts were not paused again."}
        </Notice>
      )}
      {moving > 0 && <p>{times(moving, "wallet", "wallets")} moved whenever read; they are read again the next night.</p>}
      {found > 0 && (
        <Rows items={differences} empty="" id={idOf}>
          {(difference) => <Row difference={difference} />}
        </Rows>
      )}
      {found > differences.length && <p className="quiet small">The first {differences.length} are shown.</p>}
      <p className={float.said === "fits" || float.said === "first" ? "" : styles.warning}>{floatSays(float)}</p>
      {setAsides > 0 && (
        <p>
          {times(setAsides, "payment is", "payments are")} set aside, with {ksh(setAside)} in nobody’s wallet by M-Pesa’s report: <Link to="/panel">decide on the desk</Link>.
        </p>
      )}
      {unclaimedPayments > 0 && (
        <p>
          {times(unclaimedPayments, "payment", "payments")} to the paybill in the last seven days, {ksh(unclaimed)}, are in nobody’s wallet and not set aside. Most name no player’s account, and their codes were not typed.
        </p>
      )}
    </Card>
  );
}

function Row({ difference }: { difference: Difference }) {
  const { text, on, day, expected, found } = difference;
  const player = playerOf(difference);
  return (
    <div className={styles.what}>
      <p className={styles.name}>{text}</p>
      <p>
        By the postings {figureOf(difference, expected)}, found {figureOf(difference, found)}
      </p>
      <p className="quiet small">
        {day && `${dayName(day)} `}
        {player ? <Link to={`/panel/players/${player}`}>Player {player}</Link> : on}
      </p>
    </div>
  );
}
