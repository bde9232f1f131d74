import { last } from "../../../lib/last";
import { ksh } from "../../../lib/money";
import { dayName } from "../../../lib/time";
import { LINE_NAMES, LINES, sumOf, type BooksDay, type Line } from "./books";
import styles from "./Books.module.css";

const HEIGHT = 40;
/** One day's width; the bar leaves a fifth of it free. */
const STEP = 10;

/** What moved by day, a row of bars for each line, all to one scale. The table beside it has the figures. */
export function DaysChart({ days }: { days: readonly BooksDay[] }) {
  const top = Math.max(1, ...days.flatMap((day) => LINES.map((line) => day[line])));
  return (
    <div className={styles.chart}>
      {LINES.map((line) => (
        <Bars key={line} days={days} line={line} top={top} />
      ))}
      <p className={`quiet small ${styles.ends}`}>
        <span>{dayName(days[0]?.day ?? "")}</span>
        <span>{dayName(last(days)?.day ?? "")}</span>
      </p>
      <p className="quiet small">All bars are to one scale; the highest is {ksh(top)}.</p>
    </div>
  );
}

function Bars({ days, line, top }: { days: readonly BooksDay[]; line: Line; top: number }) {
  const { total, most } = sumOf(days, line);
  const said = most ? `${ksh(total)} in ${days.length} days, most on ${dayName(most.day)}: ${ksh(most[line])}` : "nothing";
  return (
    <figure className={styles.line}>
      <figcaption>
        <span>{LINE_NAMES[line]}</span> <b className="money">{ksh(total)}</b>
      </figcaption>
      <svg
        role="img"
        aria-label={`${LINE_NAMES[line]} by day: ${said}.`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.bars}
      >
        {days.map((day, i) => {
          // What is there at all is to be seen.
          const height = day[line] > 0 ? Math.max(1.5, (HEIGHT * day[line]) / top) : 0;
          return <rect key={day.day} x={i * STEP + 1} width={STEP - 2} y={HEIGHT - height} height={height} data-line={line} />;
        })}
      </svg>
    </figure>
  );
}
