import { last } from "../../../lib/last";
import { ksh } from "../../../lib/money";
import { dayName } from "../../../lib/time";
import { balance, CATEGORY_NAMES, CATEGORIES, sumOf, type BooksDay, type Category } from "./books";
import styles from "./Books.module.css";

const HEIGHT = 40;
/** One day's width; the bar leaves a fifth of it free. */
const STEP = 10;

/** What moved by day, a row of bars for each category, all to one scale. The table beside it has the figures. */
export function DaysChart({ days }: { days: readonly BooksDay[] }) {
  const top = Math.max(1, ...days.flatMap((day) => CATEGORIES.map((category) => day[category])));
  return (
    <div className={styles.chart}>
      {CATEGORIES.map((category) => (
        <Bars key={category} days={days} category={category} top={top} />
      ))}
      <p className={`quiet small ${styles.ends}`}>
        <span>{dayName(days[0]?.day ?? "")}</span>
        <span>{dayName(last(days)?.day ?? "")}</span>
      </p>
      <p className="quiet small">All bars are to one scale; the highest is {ksh(top)}.</p>
    </div>
  );
}

function Bars({ days, category, top }: { days: readonly BooksDay[]; category: Category; top: number }) {
  const { total, most } = sumOf(days, category);
  const sum = total === 0 && !most ? "nothing" : `${balance(total)} in ${days.length} days`;
  const said = most ? `${sum}, most on ${dayName(most.day)}: ${ksh(most[category])}` : sum;
  return (
    <figure className={styles.line}>
      <figcaption>
        <span>{CATEGORY_NAMES[category]}</span> <b className="money">{balance(total)}</b>
      </figcaption>
      <svg
        role="img"
        aria-label={`${CATEGORY_NAMES[category]} by day: ${said}.`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.bars}
      >
        {days.map((day, i) => {
          // What is there at all is to be seen.
          const height = day[category] > 0 ? Math.max(1.5, (HEIGHT * day[category]) / top) : 0;
          return <rect key={day.day} x={i * STEP + 1} width={STEP - 2} y={HEIGHT - height} height={height} data-category={category} />;
        })}
      </svg>
    </figure>
  );
}
