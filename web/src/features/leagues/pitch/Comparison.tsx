import type { Footballer } from "../leagues";
import type { Ranked } from "../ranking";
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
  const sentence = toPass({ ...me, over: isOver(me) }, { ...other, over: isOver(other) }, other.username);
  return (
    <div className={styles.comparison}>
      {sentence && <p className={styles.toPass}>{sentence}</p>}
      {apart.mine.length + apart.theirs.length === 0 ? (
        <p>{msg("The two teams are the same.")}</p>
      ) : (
        <div className={styles.columns}>
          <Column title={msg("Only you")} rows={apart.mine} now={me.now} />
          <Column title={msg(str`Only ${other.username}`)} rows={apart.theirs} now={other.now} />
        </div>
      )}
      <p className="quiet small">{msg("Who is in both teams, as often, changes nothing between you and is left out.")}</p>
    </div>
  );
}

function Column({ title, rows, now }: { title: string; rows: readonly Difference[]; now: Ranked["now"] }) {
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
      </ul>
    </section>
  );
}
