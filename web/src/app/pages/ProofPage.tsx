import { ProofCheck } from "../../features/ledger/trust/ProofCheck";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const ProofPage = () => (
  <PlayerLayout title={msg("Is your money in the sum?")}>
    <ProofCheck />
  </PlayerLayout>
);
