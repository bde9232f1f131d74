import { Confirm } from "../../../components/Confirm";
import { ErrorState } from "../../../components/ErrorState";
import { NextToSettle } from "../../../panel/NextToSettle";
import { seasonOf, useWinnersOf, type OwedGameweek } from "./calling-off";

type Props = {
  gameweek: OwedGameweek | null;
  busy: boolean;
  problem: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
};

/** Paying the winners of another gameweek than the next: what that would pay first. Nobody is paid by figures that are not read. */
export function PayWinnersDialog({ gameweek, ...question }: Props) {
  const { preview, failed, refresh } = useWinnersOf(gameweek);
  const name = gameweek ? `Gameweek ${gameweek.number} of ${seasonOf(gameweek)}` : "";
  const payable = preview !== undefined && !failed && !preview.refused;
  return (
    <Confirm open={gameweek !== null} title="End the gameweek" action={payable ? "Pay the winners" : null} {...question}>
      {failed && <ErrorState text="What it would pay could not be read just now." onRetry={refresh} />}
      {!failed && (preview ? <NextToSettle preview={preview} title={name} /> : <p>What it would pay is being read…</p>)}
      {gameweek && payable && (
        <p>{name}: its winners are paid by the points that were read. This is not taken back.</p>
      )}
    </Confirm>
  );
}
