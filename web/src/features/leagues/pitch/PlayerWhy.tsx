import { useEffect, useRef } from "react";
import type { Footballer } from "../leagues";
import styles from "./Pitch.module.css";
import { inWords, nameOf, stageInWords, worth } from "./why";
import { msg, str } from "../../../lib/i18n";

type Props = { player: Footballer; players: readonly Footballer[]; over: boolean };

/** Where one footballer's points come from, line by line. */
export function PlayerWhy({ player, players, over }: Props) {
  const { why, points, multiplier, provisionalBonus, cameFor, captain, club } = player;
  const ref = useRef<HTMLElement>(null);
  // On a phone it is below what is seen.
  useEffect(() => void ref.current?.scrollIntoView?.({ block: "nearest" }), [player.id]);
  const replaced = players.find(({ id }) => id === cameFor);
  return (
    <section ref={ref} className={styles.why} aria-label={nameOf(player)}>
      <h3 className={styles.whyTitle}>
        {nameOf(player)} {club && <span className="quiet">{club}</span>}
      </h3>
      {why.length > 0 && (
        <dl className={styles.lines}>
          {why.map((line) => (
            <div key={line.what}>
              <dt>{inWords(line)}</dt>
              <dd>{signed(line.points)}</dd>
            </div>
          ))}
          <div className={styles.sum}>
            <dt>{msg("Together")}</dt>
            <dd>{points}</dd>
          </div>
          {multiplier > 1 && (
            <div>
              <dt>{captain ? msg(str`As captain, ${multiplier} times`) : msg(str`With the armband, ${multiplier} times`)}</dt>
              <dd>{worth(player)}</dd>
            </div>
          )}
        </dl>
      )}
      <p className="quiet small">
        {[
          stageInWords(player),
          multiplier === 0 && (over ? msg("On the bench: does not count.") : msg("On the bench: counts only if he comes on at the end.")),
          replaced && msg(str`Came on for ${nameOf(replaced)}.`),
          provisionalBonus > 0 && msg(str`${provisionalBonus} bonus as it stands, not counted yet.`),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </section>
  );
}

const signed = (points: number) => (points < 0 ? `−${-points}` : String(points));
