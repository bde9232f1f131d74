import type { Schemas } from "../api/client";
import { ksh } from "../lib/money";
import { leaguePays, leagueSizes } from "../lib/projection";
import styles from "./Panel.module.css";

type Status = Pick<Schemas["GameweekStatus"], "amounts" | "feePercent" | "gameweek">;

/** What came in at each amount, and how much of it is the fee, by what the draw makes of the entries as they are now. */
export function MoneyOfGameweek({ status: { amounts, feePercent, gameweek } }: { status: Status }) {
  const rows = amounts.map(({ entryAmount, entries }) => {
    const collected = entryAmount * entries;
    const fee = leagueSizes(entries).reduce((sum, size) => sum + entryAmount * size - leaguePays(entryAmount, size, feePercent), 0);
    return { entryAmount, entries, collected, fee };
  });
  const sum = (of: "collected" | "fee") => rows.reduce((total, row) => total + row[of], 0);
  const most = Math.max(1, ...rows.map(({ collected }) => collected));
  if (!gameweek) return <p className="quiet">There is no gameweek to play just now.</p>;
  return (
    <figure className={styles.money}>
      <figcaption>
        <b className="money">{ksh(sum("collected"))}</b> came in for gameweek {gameweek}. The fee is <b className="money">{ksh(sum("fee"))}</b>{" "}
        with the leagues that these entries make.
      </figcaption>
      {rows.map(({ entryAmount, entries, collected, fee }) => (
        <div key={entryAmount}>
          <p className={`small ${styles.row}`}>
            <span>
              {entries} at {ksh(entryAmount)}
            </span>
            <span className="money">{ksh(collected)}</span>
          </p>
          <svg viewBox={`0 0 ${most} 10`} preserveAspectRatio="none" role="img" aria-label={`${ksh(collected)}, of which ${ksh(fee)} is the fee`}>
            <rect data-part="ground" width={most} height="10" />
            <rect width={collected} height="10" />
            <rect data-part="fee" x={collected - fee} width={fee} height="10" />
          </svg>
        </div>
      ))}
    </figure>
  );
}
