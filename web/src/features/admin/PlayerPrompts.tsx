import type { Schemas } from "../../api/client";
import { Card } from "../../components/Card";
import { Rows } from "../../components/Rows";
import { ksh } from "../../lib/money";
import { NewestOnly } from "../../panel/NewestOnly";
import styles from "../../panel/Panel.module.css";
import { useTimeOfYears } from "../../panel/use-time-of-years";

type Prompt = Schemas["PlayerPrompt"];

/** The prompts that a player was sent, each with what became of it. */
export const PlayerPrompts = ({ prompts }: { prompts: readonly Prompt[] }) => (
  <Card title="Prompts of the last eight days">
    <Rows items={prompts} empty="No prompt was sent." id={({ checkoutId }) => checkoutId}>
      {(prompt) => <PromptOf prompt={prompt} />}
    </Rows>
    <NewestOnly of={prompts} />
  </Card>
);

function PromptOf({ prompt }: { prompt: Prompt }) {
  const { checkoutId, phone, amount, credited, entryAmount, entryGameweek, state, reason, receipt, at } = prompt;
  const inWords = useTimeOfYears();
  return (
    <div className={styles.what}>
      <p className={styles.name}>
        <span className="money">{ksh(amount)}</span> · {state}
      </p>
      <p className="small">
        {entryAmount && entryGameweek ? `Entry of ${ksh(entryAmount)} into gameweek ${entryGameweek}` : "Deposit"} ·{" "}
        <span className="money">{phone}</span>
      </p>
      <p className="quiet small">{inWords(at)}</p>
      {typeof credited === "number" && <p className="small">{ksh(credited)} credited</p>}
      {reason && <p className="small">{reason}</p>}
      {receipt && <p className="quiet small">Receipt {receipt}</p>}
      <p className="quiet small">Id {checkoutId}</p>
    </div>
  );
}
