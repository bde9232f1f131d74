import "../../../panel/kit.css";
import { SwitchField } from "@aws-amplify/ui-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../../api/client";
import { answerOf, isCertain, Refusal, withReason } from "../../../api/refusal";
import { switchesQuery } from "../../../api/switches";
import { Confirm } from "../../../components/Confirm";
import { ErrorState } from "../../../components/ErrorState";
import { Notice } from "../../../components/Notice";
import { Skeleton } from "../../../components/Skeleton";
import { useSubmit } from "../../../lib/use-submit";
import styles from "./DeductionSwitch.module.css";

type Status = Schemas["GameweekStatus"];
type Outcome = { said: string } | { problem: string } | undefined;

/** What a switch means, and from when: a gameweek uses what is in force at its deadline. */
const meaningOf = ({ isOpen, gameweek }: Status, wanted: boolean) =>
  `Transfers beyond the free ones then ${wanted ? "cost points" : "cost no points"}, for every player. ` +
  `It counts from the next gameweek whose deadline has not passed${isOpen && gameweek ? `: gameweek ${gameweek}` : ""}. ` +
  "A gameweek whose deadline has passed keeps what was in force then.";

/** Whether extra transfers cost points. It decides who wins, so it asks first; the answer says from when it counts. */
export function DeductionSwitch({ status }: { status: Status }) {
  const { data: switches, isError, refetch } = useQuery(switchesQuery);
  if (switches) return <TheSwitch status={status} on={switches.deductTransferPoints} />;
  if (isError) return <ErrorState text="The deduction could not be read just now." onRetry={() => void refetch()} />;
  return <Skeleton height="2.75rem" />;
}

function TheSwitch({ status, on }: { status: Status; on: boolean }) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  // What the question that is open would turn it to, whatever it is turned to meanwhile.
  const [asked, setAsked] = useState<boolean>();
  const wanted = asked ?? !on;
  const { busy, submit } = useSubmit();

  const turn = () =>
    submit(async () => {
      setOutcome(undefined);
      try {
        // What another admin, or a call without an answer, has turned already is not turned back.
        const query = { deductTransferPoints: wanted };
        const answer = await answerOf(api.POST("/api/points/toggle-deduction", { params: { query } }));
        const state = answer.deductTransferPoints ? "ON" : "OFF";
        setOutcome({ said: answer.message ?? `Transfer point deduction is now ${state}` });
        client.setQueryData(
          switchesQuery.queryKey,
          (switches) => switches && { ...switches, deductTransferPoints: answer.deductTransferPoints },
        );
      } catch (error) {
        const lost = isCertain(error) ? null : "No answer came: see at the switch, which is read again, whether it was done.";
        setOutcome({ problem: withReason("Failed to update deduction status.", error instanceof Refusal && error.said ? error.said : lost) });
        void client.invalidateQueries({ queryKey: switchesQuery.queryKey });
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
        onChange={() => setAsked(!on)}
      />
      {outcome && ("said" in outcome ? <Notice tone="success">{outcome.said}</Notice> : <Notice tone="error">{outcome.problem}</Notice>)}
      <Confirm
        open={asked !== undefined}
        title={`Turn the deduction ${wanted ? "on" : "off"}`}
        action={`Turn it ${wanted ? "on" : "off"}`}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          void turn();
        }}
      >
        <p>{meaningOf(status, wanted)}</p>
      </Confirm>
    </div>
  );
}
