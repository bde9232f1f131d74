import { WithdrawalList } from "../../features/withdrawals/WithdrawalList";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const WithdrawalsPage = () => (
  <PlayerLayout title={msg("Withdrawals")}>
    <WithdrawalList />
  </PlayerLayout>
);
