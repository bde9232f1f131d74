import "./kit.css";
import { SwitchField } from "@aws-amplify/ui-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { gameweekStatusQuery } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import { Notice } from "../../components/Notice";
import { useSubmit } from "../../lib/use-submit";
import styles from "./DeductionSwitch.module.css";

type Outcome = { said: string } | { problem: string } | undefined;

/** Whether extra transfers cost points. A switch counts from the next gameweek; the answer says so. */
export function DeductionSwitch({ on }: { on: boolean }) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  const { busy, submit } = useSubmit();

  const toggle = () =>
    submit(async () => {
      setOutcome(undefined);
      try {
        const answer = await answerOf(api.POST("/api/points/toggle-deduction"));
        const state = answer.deductTransferPoints ? "ON" : "OFF";
        setOutcome({ said: answer.message ?? `Transfer point deduction is now ${state}` });
        client.setQueryData(
          gameweekStatusQuery.queryKey,
          (status) => status && { ...status, deductTransferPoints: answer.deductTransferPoints },
        );
      } catch {
        setOutcome({ problem: "Failed to update deduction status." });
      }
    });

  return (
    <div className="stack">
      <SwitchField
        className={styles.switch ?? ""}
        label="Transfer point deduction"
        labelPosition="start"
        isChecked={on}
        isDisabled={busy}
        onChange={() => void toggle()}
      />
      {outcome && ("said" in outcome ? <Notice tone="success">{outcome.said}</Notice> : <Notice tone="error">{outcome.problem}</Notice>)}
    </div>
  );
}
