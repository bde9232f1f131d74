import { AtAGlance } from "./AtAGlance";
import { DeductionSwitch } from "../features/gameweeks/panel/DeductionSwitch";
import { OwedGameweeks } from "../features/gameweeks/panel/OwedGameweeks";
import { GameweekControl } from "../features/settlement/panel/GameweekControl";
import { InfluencerLinks } from "../features/influencers/panel/InfluencerLinks";
import { TypedCodes } from "../features/payments/panel/TypedCodes";
import { SetAsides } from "../features/payments/panel/SetAsides";
import { Switches } from "../features/admin/Switches";
import { WaitingLeagues } from "../features/settlement/panel/WaitingLeagues";
import { WithdrawalRequests } from "../features/withdrawals/panel/WithdrawalRequests";
import styles from "./Panel.module.css";

/** What is done from day to day. */
export const PanelDesk = () => (
  <div className={styles.sections}>
    <AtAGlance />
    <GameweekControl>
      {(status) => (
        <>
          <OwedGameweeks />
          {status && <DeductionSwitch status={status} />}
        </>
      )}
    </GameweekControl>
    <WaitingLeagues />
    <TypedCodes />
    <WithdrawalRequests />
    <SetAsides />
    <Switches />
    <InfluencerLinks />
  </div>
);
