import { Transactions } from "../../features/transactions/Transactions";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const TransactionsPage = () => (
  <PlayerLayout title="Transactions">
    <Transactions />
  </PlayerLayout>
);
