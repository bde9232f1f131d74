import { Link } from "react-router";
import { useEntries } from "../../features/entries/use-standing";
import { MonthSoFar } from "../../features/ledger/MonthSoFar";
import { TransactionList } from "../../features/ledger/TransactionList";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export function TransactionsPage() {
  // A prize or a refund is booked when an entry is decided: then the list is read anew.
  useEntries();
  return (
    <PlayerLayout title={msg("Transactions")}>
      <MonthSoFar />
      <TransactionList />
      <Link className="link-row" to="/statement">{msg("Statement of a year, to read or print")}</Link>
      <Link className="link-row" to="/proof">{msg("Check that your money is in the sum")}</Link>
    </PlayerLayout>
  );
}
