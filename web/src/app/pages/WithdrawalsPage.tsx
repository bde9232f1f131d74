import { Withdrawals } from "../../features/withdrawals/Withdrawals";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const WithdrawalsPage = () => (
  <PlayerLayout title="Withdrawals">
    <Withdrawals />
  </PlayerLayout>
);
