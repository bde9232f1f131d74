import { Withdrawals } from "../../features/withdrawals/Withdrawals";
import { Own } from "../Own";

export const WithdrawalsPage = () => (
  <Own title="Withdrawals">
    <Withdrawals />
  </Own>
);
