import { Withdrawals } from "../../features/withdrawals/Withdrawals";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const WithdrawalsPage = () => (
  <PlayerLayout title={msg("Withdrawals")}>
    <Withdrawals />
  </PlayerLayout>
);
