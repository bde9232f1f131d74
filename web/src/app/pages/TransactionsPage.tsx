import { Transactions } from "../../features/ledger/Transactions";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const TransactionsPage = () => (
  <PlayerLayout title="Transactions">
    <Transactions />
  </PlayerLayout>
);
