import { ProveTeam } from "../../features/team-id/ProveTeam";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const TeamPage = () => (
  <PlayerLayout title="Your team">
    <ProveTeam />
  </PlayerLayout>
);
