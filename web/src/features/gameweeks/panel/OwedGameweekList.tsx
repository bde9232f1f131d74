import { Button } from "@aws-amplify/ui-react";
import { ListRows } from "../../../components/Rows";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { useTimeOfYears } from "../../../panel/use-time-of-years";
import { CallOffDialog } from "./CallOffDialog";
import { seasonOf, useOwedGameweeks, type OwedGameweek } from "./calling-off";
import { PayWinnersDialog } from "./PayWinnersDialog";

const STATES: Partial<Record<OwedGameweek["state"], string>> = {
  closed: "Its points are not final",
  final: "Its points are final",
  settling: "Its winners are being paid",
};

/** Gameweeks that are closed and not paid in full: what can still be done about each, whatever its season. */
export function OwedGameweekList() {
  const { owed, failed, stale, refresh, outcome, busy, forget, callOff, pay } = useOwedGameweeks();
  const { asking, ask, close, closeAfter } = useAsking<{ what: "pay" | "call off"; gameweek: OwedGameweek }>(forget);
  const asked = (what: "pay" | "call off") => (asking?.what === what ? asking.gameweek : null);
  const paying = asked("pay");
  // The oldest of this season is the main button's to end.
  const next = owed?.find(({ former }) => !former);
  const question = { busy, problem: problemOf(outcome), onClose: close };
  if (!owed?.length && !failed && !outcome && !asking) return null;
  return (
    <>
      <h3>Not Paid in Full</h3>
      <ActNotice outcome={asking ? null : outcome} />
      {stale && <Stale />}
      <ListRows
        list={{ items: owed, failed, refresh }}
        unread="The gameweeks that are owed could not be read just now."
        empty="Every closed gameweek is paid."
        id={(gameweek) => gameweek.gameweek}
      >
        {(gameweek) => (
          <Row
            gameweek={gameweek}
            apart={gameweek !== next}
            busy={busy}
            onAsk={() => ask({ what: "call off", gameweek })}
            onPay={() => ask({ what: "pay", gameweek })}
          />
        )}
      </ListRows>
      <PayWinnersDialog gameweek={paying} onConfirm={() => paying && void closeAfter(pay(paying))} {...question} />
      <CallOffDialog
        gameweek={asked("call off")}
        onGiven={(reason) => asking && void closeAfter(callOff(asking.gameweek, reason))}
        {...question}
      />
    </>
  );
}

type RowProps = {
  gameweek: OwedGameweek;
  /** Whether the main button does not end it. */
  apart: boolean;
  busy: boolean;
  onAsk: () => void;
  onPay: () => void;
};

function Row({ gameweek, apart, busy, onAsk, onPay }: RowProps) {
  const { number, state, deadline, calledOff } = gameweek;
  const at = useTimeOfYears();
  return (
    <>
      <div id={`owed-${gameweek.gameweek}`} className={styles.what}>
        <p className={styles.main}>
          Gameweek {number} of {seasonOf(gameweek)}
        </p>
        <p className="quiet small">
          {calledOff ? `Called off: ${calledOff} Stakes go back.` : `${STATES[state] ?? state}. Its deadline was ${at(deadline)}.`}
        </p>
      </div>
      <div className={styles.acts}>
        {apart && state !== "closed" && !calledOff && (
          <Button isDisabled={busy} onClick={onPay} aria-describedby={`owed-${gameweek.gameweek}`}>
            Pay its winners
          </Button>
        )}
        {state === "closed" && (
          <Button isDisabled={busy} onClick={onAsk} aria-describedby={`owed-${gameweek.gameweek}`}>
            Call off
          </Button>
        )}
      </div>
    </>
  );
}
