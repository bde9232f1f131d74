import { Button } from "@aws-amplify/ui-react";
import { useState } from "react";
import { answerInWords } from "../../../api/refusal";
import { Card } from "../../../components/Card";
import { Notice } from "../../../components/Notice";
import { ksh } from "../../../lib/money";
import { useSubmit } from "../../../lib/use-submit";
import { canCheck, checkDraw, type Check } from "./check";
import styles from "./Draw.module.css";
import { Facts } from "./Facts";
import type { AmountDraw, Draw } from "./draw";
import { inWords } from "./sizes-in-words";
import { msg, str } from "../../../lib/i18n";

/** What was drawn at one amount, what it came from, and making it again in this browser. */
export const AmountCard = ({ draw, amount }: { draw: Draw; amount: AmountDraw }) => (
  <Card title={msg(str`Leagues at ${ksh(amount.entryAmount)}`)}>
    <p>{inWords(amount)}</p>
    {amount.withoutBeacon && <Notice tone="warning">{answerInWords(amount.withoutBeacon)}</Notice>}
    {amount.sizes.length > 0 && <Checking draw={draw} amount={amount} />}
    <details className={styles.details}>
      <summary>{msg("What it came from")}</summary>
      <Facts
        facts={[
          { name: msg("Secret"), value: amount.secret, hash: true },
          { name: msg("Beacon's round"), value: amount.beaconRound },
          { name: msg("Beacon's value"), value: amount.beacon, hash: true },
          { name: msg("Beacon's signature"), value: amount.beaconSignature, hash: true },
          { name: msg("Hash of the entries"), value: amount.entriesHash, hash: true },
          { name: msg("Seed"), value: amount.seed, hash: true },
        ]}
      />
    </details>
  </Card>
);

function Checking({ draw, amount }: { draw: Draw; amount: AmountDraw }) {
  const [checks, setChecks] = useState<Check[]>();
  const [failed, setFailed] = useState(false);
  const { busy, submit } = useSubmit();
  if (!canCheck()) return <p className="quiet">{msg("This browser cannot make the draw again: it needs a secure connection.")}</p>;

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
      <Button onClick={() => void check()} isLoading={busy} loadingText={msg("Making the draw again…")}>{msg("Check it in this browser")}</Button>
      {failed && <Notice tone="error">{msg("The leagues could not be read just now. Nothing was checked.")}</Notice>}
      {checks && <Outcome checks={checks} />}
    </div>
  );
}

function Outcome({ checks }: { checks: readonly Check[] }) {
  const holds = checks.every((check) => check.holds);
  return (
    <>
      <Notice tone={holds ? "success" : "error"}>
        {holds ? msg("Yes: the draw made these leagues.") : msg("No: this does not fit together.")}
      </Notice>
      <ul className={styles.checks}>
        {checks.map(({ what, holds: one }) => (
          <li key={what}>
            <span className={one ? styles.yes : styles.no}>{one ? msg("Yes") : msg("No")}</span>
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
