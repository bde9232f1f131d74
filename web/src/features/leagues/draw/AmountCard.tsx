import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { Card } from "../../../components/Card";
import { Notice } from "../../../components/Notice";
import { ksh } from "../../../lib/money";
import { useSubmit } from "../../../lib/use-submit";
import { canCheck, checkDraw, type Check } from "./check";
import styles from "./Draw.module.css";
import { Facts } from "./Facts";
import type { AmountDraw, Draw } from "./queries";
import { inWords } from "./sizes-in-words";

/** What was drawn at one amount, what it came from, and making it again in this browser. */
export const AmountCard = ({ draw, amount }: { draw: Draw; amount: AmountDraw }) => (
  <Card title={`${ksh(amount.entryAmount)} leagues`}>
    <p>{inWords(amount)}</p>
    {amount.withoutBeacon && <Notice tone="warning">{amount.withoutBeacon}</Notice>}
    {amount.sizes.length > 0 && <Checking draw={draw} amount={amount} />}
    <details className={styles.details}>
      <summary>What it came from</summary>
      <Facts
        facts={[
          { name: "Secret", value: amount.secret, hash: true },
          { name: "Beacon's round", value: amount.beaconRound },
          { name: "Beacon's value", value: amount.beacon, hash: true },
          { name: "Beacon's signature", value: amount.beaconSignature, hash: true },
          { name: "Hash of the entries", value: amount.entriesHash, hash: true },
          { name: "Seed", value: amount.seed, hash: true },
        ]}
      />
    </details>
  </Card>
);

function Checking({ draw, amount }: { draw: Draw; amount: AmountDraw }) {
  const [checks, setChecks] = useState<Check[]>();
  const [failed, setFailed] = useState(false);
  const { busy, submit } = useSubmit();
  if (!canCheck()) return <p className="quiet">This browser cannot make the draw again: it needs a secure connection.</p>;

  const check = () =>
    submit(async () => {
      setFailed(false);
      setChecks(undefined);
      try {
        setChecks(await checkDraw(draw, amount));
      } catch (error) {
        console.error(error);
        setFailed(true);
      }
    });

  return (
    <div className="stack">
      <Button onClick={() => void check()} isLoading={busy} loadingText="Making the draw again…">
        Check it in this browser
      </Button>
      {failed && <Notice tone="error">The leagues could not be read just now. Nothing was checked.</Notice>}
      {checks && <Outcome checks={checks} />}
    </div>
  );
}

function Outcome({ checks }: { checks: readonly Check[] }) {
  const holds = checks.every((check) => check.holds);
  return (
    <>
      <Notice tone={holds ? "success" : "error"}>
        {holds ? "Yes: the draw made these leagues." : "No: this does not fit together."}
      </Notice>
      <ul className={styles.checks}>
        {checks.map(({ what, holds: one }) => (
          <li key={what}>
            <span className={one ? styles.yes : styles.no}>{one ? "Yes" : "No"}</span>
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
