import { Link } from "react-router";
import { MonthSoFar } from "../../features/ledger/MonthSoFar";
import { TransactionList } from "../../features/ledger/TransactionList";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const TransactionsPage = () => (
  <PlayerLayout title={msg("Transactions")}>
    <MonthSoFar />
    <TransactionList />
    <Link className="link-row" to="/statement">{msg("Statement of a year, to read or print")}</Link>
    <Link className="link-row" to="/proof">{msg("Check that your money is in the sum")}</Link>
  </PlayerLayout>
);
