import { Link, useParams } from "react-router";
import { PlayerProfile } from "../features/admin/PlayerProfile";
import { PlayerSearch } from "../features/admin/PlayerSearch";
import { OwnNumbers } from "../features/payments/panel/OwnNumbers";
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
        <PlayerProfile key={player} id={player} numbers={(profile) => <OwnNumbers profile={profile} />} />
      </div>
    </>
  );
}
