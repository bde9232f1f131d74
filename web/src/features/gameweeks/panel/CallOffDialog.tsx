import { Dialog } from "../../../components/Dialog";
import { ErrorState } from "../../../components/ErrorState";
import { Notice } from "../../../components/Notice";
import { Skeleton } from "../../../components/Skeleton";
import { count } from "../../../lib/count";
import { ksh } from "../../../lib/money";
import { eastAfricaTime } from "../../../lib/time";
import styles from "../../../panel/Figures.module.css";
import { ReasonForm } from "../../../panel/ReasonDialog";
import { useVoidPreview, type OwedGameweek, type VoidPreview } from "./calling-off";

type Props = {
  gameweek: OwedGameweek | null;
  busy: boolean;
  problem: string | undefined;
  onClose: () => void;
  onGiven: (reason: string) => void;
};

/** Calling a gameweek off: what that would give back first, then the question with its reason. */
export const CallOffDialog = ({ gameweek, onClose, ...form }: Props) => (
  <Dialog open={gameweek !== null} title="Call the gameweek off" onClose={onClose} busy={form.busy}>
    {gameweek && <Question id={gameweek.gameweek} {...form} />}
  </Dialog>
);

function Question({ id, ...form }: Omit<Props, "gameweek" | "onClose"> & { id: string }) {
  const { preview, failed, refresh } = useVoidPreview(id);
  const unread = failed && <ErrorState text="What it would give back could not be read just now." onRetry={refresh} />;
  if (!preview) return unread || <Skeleton height="6rem" />;
  return (
    <>
      {unread}
      <WhatItGivesBack preview={preview} />
      {preview.refused ? (
        <Notice tone="warning">{refusal(preview)}</Notice>
      ) : (
        <ReasonForm
          text="Every stake that is not paid out goes back, without a fee. This is not taken back."
          action="Call it off"
          required
          blocked={failed}
          {...form}
        />
      )}
    </>
  );
}

/** The time as people read it here. */
const refusal = ({ refused, possibleFrom, number }: VoidPreview) =>
  refused?.includes(" from ") ? `Gameweek ${number} can be called off from ${eastAfricaTime(new Date(possibleFrom))} on.` : refused;

const WhatItGivesBack = ({ preview: { number, season, leagues, entries, toRefund, settled, paid } }: { preview: VoidPreview }) => (
  <div className={styles.next}>
    <p>
      Gameweek {number} of season {season}: <b className="money">{ksh(toRefund)}</b> would go back.
    </p>
    <dl className={styles.standing}>
      <div>
        <dt>Not settled</dt>
        <dd>
          {count(leagues, "league")}, {count(entries, "player")}
        </dd>
      </div>
      {(settled > 0 || paid > 0) && (
        <div>
          <dt>Settled already: {count(settled, "league")}</dt>
          <dd className="money">{ksh(paid)}</dd>
        </div>
      )}
    </dl>
  </div>
);
