import { Invitation } from "../../features/influencers/Invitation";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const InvitePage = () => (
  <PlayerLayout title="Invite friends">
    <Invitation />
  </PlayerLayout>
);
