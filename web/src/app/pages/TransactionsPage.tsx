import { Link } from "react-router";
import { Transactions } from "../../features/ledger/Transactions";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const TransactionsPage = () => (
  <PlayerLayout title={msg("Transactions")}>
    <Transactions />
    <Link className="link-row" to="/proof">{msg("Check that your money is in the sum")}</Link>
  </PlayerLayout>
);
