import { Link, useParams } from "react-router";
import { PlayerProfile } from "../features/admin/PlayerProfile";
import { PlayerSearch } from "../features/admin/PlayerSearch";
import { CorrectionDialog } from "../features/ledger/panel/CorrectionDialog";
import { useCorrection } from "../features/ledger/panel/corrections";
import { OwnNumberList } from "../features/payments/panel/OwnNumberList";
import { WithdrawalsOfPlayer } from "../features/withdrawals/panel/WithdrawalsOfPlayer";
import styles from "./Panel.module.css";

/** Finding players, and one of them with everything that is theirs. */
export function PanelPlayers() {
  const { player } = useParams();
  if (!player) return <PlayerSearch />;
  return (
    <>
      <p>
        <Link className="link-row" to="/panel/players">
          Find another player
        </Link>
      </p>
      <div className={styles.sections}>
        <Player key={player} id={player} />
      </div>
    </>
  );
}

function Player({ id }: { id: string }) {
  const book = useCorrection(id);
  return (
    <PlayerProfile
      id={id}
      numbers={(profile) => <OwnNumberList profile={profile} />}
      withdrawals={<WithdrawalsOfPlayer id={id} />}
      correction={{ book, dialog: (question) => <CorrectionDialog {...question} /> }}
    />
  );
}
