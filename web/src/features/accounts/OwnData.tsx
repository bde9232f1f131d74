import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Card } from "../../components/Card";
import { Notice } from "../../components/Notice";
import { explain } from "../../api/refusal";
import { msg, str } from "../../lib/i18n";
import { saveFile } from "../../lib/save-file";
import { useSubmit } from "../../lib/use-submit";
import { byPart, ownData, partName, type HeldItem } from "./own-data";
import styles from "./OwnData.module.css";

/** Everything that is held about the player: to read here, and as a file. */
export function OwnData() {
  const [items, setItems] = useState<readonly HeldItem[]>();
  const [error, setError] = useState<string>();
  const { busy, submit } = useSubmit();
  const read = () =>
    submit(async () => {
      setError(undefined);
      try {
        setItems(await ownData());
      } catch (failure) {
        const failed = msg("Your data could not be read just now. Please try again.");
        setError(explain(failure, { refused: failed, failed }));
      }
    });
  return (
    <Card title={msg("My data")}>
      <p>{msg("Everything that we keep about you, as it is kept; passwords and codes are kept in a form that nobody can read, and are not in it.")}</p>
      {error !== undefined && <Notice tone="error">{error}</Notice>}
      {!items && (
        <Button isFullWidth isLoading={busy} loadingText={msg("One moment...")} isDisabled={busy} onClick={() => void read()}>
          {msg("Show my data")}
        </Button>
      )}
      {items && (
        <>
          <Button
            variation="primary"
            isFullWidth
            onClick={() => saveFile("fpl-leagues-my-data.json", [JSON.stringify(items, null, 2)], "application/json")}
          >
            {msg("Save as a file")}
          </Button>
          {byPart(items).map(([part, held]) => (
            <details key={part} className={styles.part}>
              <summary>{msg(str`${partName(part)} (${held.length})`)}</summary>
              {held.map((item) => (
                <dl key={`${item.kind} ${item.key}`} className={styles.item}>
                  {fields(item.what).map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              ))}
            </details>
          ))}
        </>
      )}
    </Card>
  );
}

/** Each field with its value, in the words in which it is kept. */
const fields = (what: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] =>
  Object.entries(what).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
