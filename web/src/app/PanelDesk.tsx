import { AtAGlance } from "./AtAGlance";
import { DeductionSwitch } from "../features/gameweeks/panel/DeductionSwitch";
import { OwedGameweekList } from "../features/gameweeks/panel/OwedGameweekList";
import { GameweekControl } from "../features/settlement/panel/GameweekControl";
import { InfluencerLinkList } from "../features/influencers/panel/InfluencerLinkList";
import { TypedCodeList } from "../features/payments/panel/TypedCodeList";
import { SetAsideList } from "../features/payments/panel/SetAsideList";
import { SwitchList } from "../features/admin/SwitchList";
import { WaitingLeagueList } from "../features/settlement/panel/WaitingLeagueList";
import { RequestList } from "../features/withdrawals/panel/RequestList";
import styles from "./Panel.module.css";

/** What is done from day to day. */
export const PanelDesk = () => (
  <div className={styles.sections}>
    <AtAGlance />
    <GameweekControl>
      {(status) => (
        <>
          <OwedGameweekList />
          {status && <DeductionSwitch status={status} />}
        </>
      )}
    </GameweekControl>
    <WaitingLeagueList />
    <TypedCodeList />
    <RequestList />
    <SetAsideList />
    <SwitchList />
    <InfluencerLinkList />
  </div>
);
