import { InvitationCard } from "../../features/influencers/InvitationCard";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const InvitePage = () => (
  <PlayerLayout title={msg("Invite friends")}>
    <InvitationCard />
  </PlayerLayout>
);
