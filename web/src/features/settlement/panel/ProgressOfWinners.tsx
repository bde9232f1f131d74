import { Loader } from "@aws-amplify/ui-react";
import { Notice } from "../../../components/Notice";
import { ksh } from "../../../lib/money";
import type { Progress } from "./use-settling";

/** How far the paying of winners is, in leagues. */
export function ProgressOfWinners({ progress }: { progress: Progress }) {
  const { message, gameweek, leagues, settled, waiting, toPay } = progress;
  const done = progress.state === "settled";
  return (
    <div className="stack">
      <Notice tone={done ? "success" : "info"}>{message}</Notice>
      {leagues > 0 && (
        <Loader
          variation="linear"
          isDeterminate
          isPercentageTextHidden
          percentage={Math.floor((100 * settled) / leagues)}
          aria-label={`Gameweek ${gameweek}: leagues settled`}
        />
      )}
      <p className="quiet">
        Gameweek {gameweek}: {settled} of {leagues} leagues settled
        {waiting > 0 && `, ${waiting} waiting`}
        {toPay > 0 && !done && settled < leagues && `, ${ksh(toPay)} to pay in all if each league is played`}.
      </p>
    </div>
  );
}
