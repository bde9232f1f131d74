import { Button } from "@aws-amplify/ui-react";
import { Confirm } from "../../../components/Confirm";
import { ListRows } from "../../../components/Rows";
import { eastAfricaTime } from "../../../lib/time";
import { ActNotice } from "../../../panel/ActNotice";
import styles from "../../../panel/Panel.module.css";
import { Stale } from "../../../panel/Stale";
import { problemOf } from "../../../panel/use-act";
import { useAsking } from "../../../panel/use-asking";
import { CallOffDialog } from "./CallOffDialog";
import { useOwedGameweeks, type OwedGameweek } from "./calling-off";

const seasonOf = ({ season }: OwedGameweek) => `${season}/${String((season + 1) % 100).padStart(2, "0")}`;

/** Gameweeks that are closed and not paid in full: what can still be done about each, whatever its season. */
export function OwedGameweekList() {
  const { owed, failed, stale, refresh, outcome, busy, forget, callOff, pay } = useOwedGameweeks();
  const { asking, ask, close, closeAfter } = useAsking<{ what: "pay" | "call off"; gameweek: OwedGameweek }>(forget);
  const asked = (what: "pay" | "call off") => (asking?.what === what ? asking.gameweek : null);
  const paying = asked("pay");
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
            busy={busy}
            onAsk={() => ask({ what: "call off", gameweek })}
            onPay={() => ask({ what: "pay", gameweek })}
          />
        )}
      </ListRows>
      <Confirm
        open={paying !== null}
        title="End the gameweek"
        action="Pay the winners"
        onConfirm={() => paying && void closeAfter(pay(paying))}
        {...question}
      >
        <p>{paying && `Gameweek ${paying.number} of ${seasonOf(paying)}: its`} winners are paid by the points that were read. This is not taken back.</p>
      </Confirm>
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
  busy: boolean;
  onAsk: () => void;
  onPay: () => void;
};

const Row = ({ gameweek, busy, onAsk, onPay }: RowProps) => (
  <>
    <div id={`owed-${gameweek.gameweek}`} className={styles.what}>
      <p className={styles.main}>
        Gameweek {gameweek.number} of {seasonOf(gameweek)}
      </p>
      <p className="quiet small">
        {gameweek.calledOff ? `Called off: ${gameweek.calledOff} Stakes go back.` : `${gameweek.state}, closed ${eastAfricaTime(new Date(gameweek.deadline))}`}
      </p>
    </div>
    <div className={styles.acts}>
      {gameweek.former && gameweek.state !== "closed" && !gameweek.calledOff && (
        <Button isDisabled={busy} onClick={onPay} aria-describedby={`owed-${gameweek.gameweek}`}>
          Pay its winners
        </Button>
      )}
      {gameweek.state === "closed" && (
        <Button isDisabled={busy} onClick={onAsk} aria-describedby={`owed-${gameweek.gameweek}`}>
          Call off
        </Button>
      )}
    </div>
  </>
);
