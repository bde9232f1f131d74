import { Invitation } from "../../features/influencers/Invitation";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const InvitePage = () => (
  <PlayerLayout title={msg("Invite friends")}>
    <Invitation />
  </PlayerLayout>
);
