import { Link } from "react-router";
import { Card } from "../../../components/Card";
import { CopyButton } from "../../../components/CopyButton";
import styles from "./Draw.module.css";
import { named, type Draw } from "./queries";

/** What is fixed when, what the list's hash is over, and how to look for one's own line. */
export function HowToCheck({ draw }: { draw: Draw }) {
  const command = `cargo run -p local -- verify-draw ${named(draw)} ${location.origin} --entry '<your line>'`;
  return (
    <Card title="How to check it">
      <ol className={styles.steps}>
        <li>The hash of the operator&rsquo;s secret is here from the opening on. So the secret cannot be changed.</li>
        <li>
          Ten minutes after the deadline, 25 at the latest, the lists of entries are fixed, and their hashes are here at
          once. So nobody can be added, left out or exchanged any more.
        </li>
        <li>
          A minute later a public beacon makes a number that nobody could know before. Secret, number and list together
          decide the leagues.
        </li>
      </ol>
      <p>
        A list has a line for each entry: the entry&rsquo;s id, the team&rsquo;s id, and a hash of the player&rsquo;s name. Your own line
        is in <Link to="/entries">My entries</Link> as soon as you have joined. Keep it: whoever altered your entry afterwards
        could not make that line be in the list.
      </p>
      <p>This command makes the whole draw again and looks for your line:</p>
      <p className={styles.hash}>{command}</p>
      <CopyButton text={command} label="Copy the command" />
    </Card>
  );
}
