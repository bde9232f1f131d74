import { MonthSoFar } from "../../features/ledger/MonthSoFar";
import { Transactions } from "../../features/ledger/Transactions";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const TransactionsPage = () => (
  <PlayerLayout title={msg("Transactions")}>
    <MonthSoFar />
    <Transactions />
  </PlayerLayout>
);
