import { ProveTeam } from "../../features/teams/ProveTeam";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const TeamPage = () => (
  <PlayerLayout title={msg("Your team")}>
    <ProveTeam />
  </PlayerLayout>
);
