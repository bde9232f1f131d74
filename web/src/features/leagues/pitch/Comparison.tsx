import type { Footballer } from "../leagues";
import { isOver, type Ranked } from "../ranking";
import { takenOff } from "../transfers";
import { compare, toPass, type Difference } from "./compare";
import styles from "./Pitch.module.css";
import { isAwaited, nameOf } from "./why";
import { msg, str } from "../../../lib/i18n";

type Props = { me: Ranked; other: Ranked; mine: readonly Footballer[]; theirs: readonly Footballer[] };

/** Nobody passes anybody in a league that was given back. */
const isRanked = ({ refund }: Ranked) => !refund;

/** What two teams do not share, and what I need to pass the other one. */
export function Comparison({ me, other, mine, theirs }: Props) {
  const apart = compare(mine, theirs);
  const [myCost, otherCost] = [takenOff(me), takenOff(other)];
  const sentence = isRanked(me) && isRanked(other) && toPass({ ...me, over: isOver(me) }, { ...other, over: isOver(other) }, other.username);
  return (
    <div className={styles.comparison}>
      {sentence && <p className={styles.toPass}>{sentence}</p>}
      {apart.mine.length + apart.theirs.length === 0 && myCost === otherCost ? (
        <p>{msg("The two teams are the same.")}</p>
      ) : (
        <div className={styles.columns}>
          <Column title={msg("Only you")} rows={apart.mine} cost={myCost} known={me.now !== null} />
          <Column title={msg(str`Only ${other.username}`)} rows={apart.theirs} cost={otherCost} known={other.now !== null} />
        </div>
      )}
      <p className="quiet small">{msg("Who is in both teams, as often, changes nothing between you and is left out.")}</p>
    </div>
  );
}

/** `cost`: the points that extra transfers have taken off the team. `known`: it is known who plays when. */
type ColumnProps = { title: string; rows: readonly Difference[]; cost: number; known: boolean };

function Column({ title, rows, cost, known }: ColumnProps) {
  const at = (stage: Footballer["stage"]) => rows.filter(({ footballer }) => footballer.stage === stage).length;
  return (
    <section aria-label={title}>
      <h3 className={styles.columnTitle}>{title}</h3>
      {known && (
        <p className="quiet small">{msg(str`${at("playing")} playing, ${at("left")} left`)}</p>
      )}
      <ul className={styles.rows}>
        {rows.map(({ id, footballer, there, points }) => (
          <li key={id}>
            <span className={styles.rowName}>
              {nameOf(footballer)}
              {footballer.multiplier > 1 && ` ×${footballer.multiplier}`}
              {there > 0 && ` ${msg(str`against ×${there}`)}`}
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
