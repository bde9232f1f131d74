import { useState } from "react";
import type { Footballer } from "../leagues";
import { PlayerWhy } from "./PlayerWhy";
import styles from "./Pitch.module.css";
import { Shirt } from "./Shirt";
import { isAwaited, nameOf, worth } from "./why";
import { msg, str } from "../../../lib/i18n";
import { plural } from "../../../lib/plural";

const ELEVEN = 11;
const LINES = [1, 2, 3, 4];

/** Eleven by their lines, the bench below; whoever is tapped says why the points are what they are. `over`: nothing moves any more. */
export function Pitch({ players, label, over }: { players: readonly Footballer[]; label: string; over: boolean }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const eleven = players.slice(0, ELEVEN);
  const tile = (player: Footballer) => (
    <Tile key={player.id} player={player} chosen={player.id === chosen} onChoose={() => setChosen(player.id === chosen ? null : player.id)} />
  );
  const open = players.find(({ id }) => id === chosen);
  return (
    <div className={styles.team} role="group" aria-label={label}>
      <div className={styles.pitch}>
        {LINES.map((line) => (
          <div key={line} className={styles.line}>
            {eleven.filter(({ position }) => position === line).map(tile)}
          </div>
        ))}
      </div>
      <div className={styles.bench}>
        <p className={styles.benchTitle}>{msg("Bench")}</p>
        <div className={styles.line}>{players.slice(ELEVEN).map(tile)}</div>
      </div>
      <div aria-live="polite">
        {open ? <PlayerWhy player={open} players={players} over={over} /> : <p className="quiet small">{msg("Tap a player to see where the points come from.")}</p>}
      </div>
    </div>
  );
}

type TileProps = { player: Footballer; chosen: boolean; onChoose: () => void };

function Tile({ player, chosen, onChoose }: TileProps) {
  const { multiplier, captain, viceCaptain, stage, provisionalBonus, cameFor, points } = player;
  const armband = captain || viceCaptain;
  const awaited = isAwaited(player);
  const shown = multiplier > 1 ? worth(player) : points;
  // A captain's counts as often as the points; on the bench it is shown as it is.
  const bonus = provisionalBonus * Math.max(1, multiplier);
  const state = [
    armband && (captain ? msg("captain") : msg("vice-captain")),
    stage === "playing" && msg("playing"),
    stage === "left" && (awaited ? msg("yet to play") : msg("a match is still to come")),
    typeof cameFor === "number" && msg("came on"),
    bonus > 0 && msg(str`${bonus} bonus may come`),
  ].filter(Boolean);
  return (
    <button
      type="button"
      className={styles.tile}
      aria-pressed={chosen}
      aria-label={[`${nameOf(player)} ${plural(shown, msg(str`${shown} point`), msg(str`${shown} points`))}`, ...state].join(", ")}
      onClick={onChoose}
    >
      <span className={styles.figure}>
        <Shirt club={player.club ?? null} />
        {armband && <b className={multiplier > 1 ? styles.armband : styles.vice}>{captain ? "C" : "V"}</b>}
        {typeof cameFor === "number" && <span className={styles.came}>↑</span>}
      </span>
      <span className={styles.name}>{nameOf(player)}</span>
      <span className={stage === "playing" ? styles.playing : styles.points}>
        {awaited ? "–" : shown}
        {bonus > 0 && <small> +{bonus}</small>}
      </span>
    </button>
  );
}

