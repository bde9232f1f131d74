import "./kit.css";
import { SelectField } from "@aws-amplify/ui-react";
import type { Schemas } from "../../api/client";
import styles from "./LeagueList.module.css";
import { msg, str } from "../../lib/i18n";

type Props = {
  /** Those so far. */
  gameweeks: readonly Schemas["GameweekSoFar"][];
  /** The gameweek that is shown. */
  gameweek: number;
  onChange: (gameweek: number) => void;
};

const states = (): Record<string, string> => ({
  open: msg("open"),
  closed: msg("closed"),
  final: msg("final"),
  settling: msg("being settled"),
  settled: msg("settled"),
});

/** How far a gameweek is, in a word; one that is newer than this page by the name it has. */
const stateInWords = (state: string) => states()[state] ?? state;

/** Which gameweek's leagues are shown: there is nothing to pick until one is over. One that has just begun may not be listed yet. */
export function GameweekPicker({ gameweeks, gameweek, onChange }: Props) {
  if (gameweeks.length < 2) return null;
  const isListed = gameweeks.some(({ number }) => number === gameweek);
  return (
    <SelectField className={styles.picker ?? ""} label={msg("Gameweek")} value={String(gameweek)} onChange={(event) => onChange(Number(event.target.value))}>
      {!isListed && <option value={gameweek}>{msg(str`Gameweek ${gameweek}`)}</option>}
      {gameweeks.map(({ number, state }) => (
        <option key={number} value={number}>{msg(str`Gameweek ${number} · ${stateInWords(state)}`)}</option>
      ))}
    </SelectField>
  );
}
