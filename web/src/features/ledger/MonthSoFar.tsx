import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { limitsQuery, type OwnLimits } from "../../api/own-limits";
import { Card } from "../../components/Card";
import { msg } from "../../lib/i18n";
import { ksh } from "../../lib/money";
import styles from "./MonthSoFar.module.css";

/** What a month has brought so far: what went in, and what came of it. Nothing is shown where it cannot be read. */
export function MonthSoFar() {
  const { data } = useQuery(limitsQuery);
  return (
    data && (
      <Card title={msg("This month")}>
        <Figures month={data.month} />
      </Card>
    )
  );
}

/** The same beside the wallet, read when it is opened. */
export function MonthFolded() {
  const [open, setOpen] = useState(false);
  const { data, isError } = useQuery({ ...limitsQuery, enabled: open });
  return (
    <details className={styles.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{msg("Paid in, won and taken out this month")}</summary>
      {data && <Figures month={data.month} />}
      {!data && <p className="quiet small">{isError ? msg("It could not be read just now.") : msg("Loading...")}</p>}
    </details>
  );
}

function Figures({ month: { paidIn, staked, refunded, won, takenOut } }: { month: OwnLimits["month"] }) {
  const rows: [string, number][] = [
    [msg("Paid in"), paidIn],
    [msg("Staked"), staked],
    ...(refunded > 0 ? ([[msg("Given back"), refunded]] as [string, number][]) : []),
    [msg("Won"), won],
    [msg("Taken out"), takenOut],
  ];
  return (
    <dl className={styles.month}>
      {rows.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="money">{ksh(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
