import { ProveTeam } from "../../features/team-id/ProveTeam";
import { Own } from "../Own";

export const TeamPage = () => (
  <Own title="Your team">
    <ProveTeam />
  </Own>
);
