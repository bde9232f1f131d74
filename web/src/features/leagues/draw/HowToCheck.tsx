import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { CopyButton } from "../../../components/CopyButton";
import { rich } from "../../../components/rich";
import styles from "./Draw.module.css";
import { named, type Draw } from "./draw";
import { msg } from "../../../lib/i18n";

/** What is fixed when, what the list's hash is over, and how to look for one's own line. */
export function HowToCheck({ draw }: { draw: Draw }) {
  const line = `<${msg("your line")}>`;
  const command = `cargo run -p local -- verify-draw ${named(draw)} ${location.origin} --entry '${line}'`;
  return (
    <Card title={msg("How to check it")}>
      <ol className={styles.steps}>
        <li>{msg("The hash of the operator’s secret is here from the opening on. So the secret cannot be changed.")}</li>
        <li>{msg("Ten minutes after the deadline, 25 at the latest, the lists of entries are fixed, and their hashes are here at once. So nobody can be added, left out or exchanged any more.")}</li>
        <li>{msg("A minute later a public beacon makes a number that nobody could know before. Secret, number and list together decide the leagues.")}</li>
      </ol>
      <p>
        {rich(
          msg("A list has a line for each entry: the entry’s id, the team’s id, and a hash of the player’s name. Your own line is in [My entries] as soon as you have joined. Keep it: whoever altered your entry afterwards could not make that line be in the list."),
          (page) => <Link to="/entries">{page}</Link>,
        )}
      </p>
      <p>{msg("This command makes the whole draw again and looks for your line:")}</p>
      <p className={styles.hash}>{command}</p>
      <CopyButton text={command} label={msg("Copy the command")} />
    </Card>
  );
}
