import { ProveTeam } from "../../features/teams/ProveTeam";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const TeamPage = () => (
  <PlayerLayout title="Your team">
    <ProveTeam />
  </PlayerLayout>
);
