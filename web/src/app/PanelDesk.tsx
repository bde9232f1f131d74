import { GameweekControl } from "../features/panel/GameweekControl";
import { InfluencerLinks } from "../features/panel/InfluencerLinks";
import { ManualPayments } from "../features/panel/ManualPayments";
import { SetAsides } from "../features/panel/SetAsides";
import { Switches } from "../features/panel/Switches";
import { WaitingLeagues } from "../features/panel/WaitingLeagues";
import { WithdrawalRequests } from "../features/panel/WithdrawalRequests";
import styles from "./Panel.module.css";

/** What is done from day to day. */
export const PanelDesk = () => (
  <div className={styles.sections}>
    <GameweekControl />
    <WaitingLeagues />
    <ManualPayments />
    <WithdrawalRequests />
    <SetAsides />
    <Switches />
    <InfluencerLinks />
  </div>
);
