import { YearlyStatement } from "../../features/ledger/YearlyStatement";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const StatementPage = () => (
  <PlayerLayout title={msg("Yearly statement")}>
    <YearlyStatement />
  </PlayerLayout>
);
