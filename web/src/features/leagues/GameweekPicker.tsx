import "./kit.css";
import { SelectField } from "@aws-amplify/ui-react";
import { useQuery } from "@tanstack/react-query";
import { gameweeksQuery } from "../../api/queries";
import styles from "./LeagueList.module.css";

type Props = {
  /** The gameweek that is shown. */
  gameweek: number;
  onChange: (gameweek: number) => void;
};

/** Which gameweek's leagues are shown: there is nothing to pick until one is over. */
export function GameweekPicker({ gameweek, onChange }: Props) {
  const { data: gameweeks } = useQuery(gameweeksQuery);
  if (!gameweeks || gameweeks.length < 2) return null;
  return (
    <SelectField className={styles.picker ?? ""} label="Gameweek" value={String(gameweek)} onChange={(event) => onChange(Number(event.target.value))}>
      {gameweeks.map(({ number, state }) => (
        <option key={number} value={number}>
          Gameweek {number} · {state}
        </option>
      ))}
    </SelectField>
  );
}
