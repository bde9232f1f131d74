import { Results } from "../../features/entries/Results";
import { InviteLink } from "../../features/influencers/InviteLink";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const EntriesPage = () => (
  <PlayerLayout title="My entries">
    <Results />
    <InviteLink />
  </PlayerLayout>
);
