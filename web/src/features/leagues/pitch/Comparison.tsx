import type { Footballer } from "../leagues";
import type { Ranked } from "../ranking";
import { takenOff } from "../transfers";
import { compare, toPass, type Difference } from "./compare";
import styles from "./Pitch.module.css";
import { isAwaited, nameOf } from "./why";
import { msg, str } from "../../../lib/i18n";

type Props = { me: Ranked; other: Ranked; mine: readonly Footballer[]; theirs: readonly Footballer[] };

/** Official, or what the league was settled on. */
const isOver = ({ final, ours = false }: Ranked) => final || ours;

/** What two teams do not share, and what I need to pass the other one. */
export function Comparison({ me, other, mine, theirs }: Props) {
  const apart = compare(mine, theirs);
  const [myCost, otherCost] = [takenOff(me), takenOff(other)];
  const sentence = toPass({ ...me, over: isOver(me) }, { ...other, over: isOver(other) }, other.username);
  return (
    <div className={styles.comparison}>
      {sentence && <p className={styles.toPass}>{sentence}</p>}
      {apart.mine.length + apart.theirs.length === 0 && myCost === otherCost ? (
        <p>{msg("The two teams are the same.")}</p>
      ) : (
        <div className={styles.columns}>
          <Column title={msg("Only you")} rows={apart.mine} cost={myCost} now={me.now} />
          <Column title={msg(str`Only ${other.username}`)} rows={apart.theirs} cost={otherCost} now={other.now} />
        </div>
      )}
      <p className="quiet small">{msg("Who is in both teams, as often, changes nothing between you and is left out.")}</p>
    </div>
  );
}

/** `cost`: the points that extra transfers have taken off the team. */
type ColumnProps = { title: string; rows: readonly Difference[]; cost: number; now: Ranked["now"] };

function Column({ title, rows, cost, now }: ColumnProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.columnTitle}>{title}</h3>
      {now && (
        <p className="quiet small">{msg(str`${now.playing} playing, ${now.left} left`)}</p>
      )}
      <ul className={styles.rows}>
        {rows.map(({ id, footballer, points }) => (
          <li key={id}>
            <span className={styles.rowName}>
              {nameOf(footballer)}
              {footballer.multiplier > 1 && ` ×${footballer.multiplier}`}
            </span>
            <b>{isAwaited(footballer) ? "–" : points}</b>
          </li>
        ))}
        {cost > 0 && (
          <li>
            <span className={styles.rowName}>{msg("Extra transfers")}</span>
            <b>−{cost}</b>
          </li>
        )}
      </ul>
    </section>
  );
}
