import { Results } from "../../features/entries/Results";
import { InviteLink } from "../../features/influencers/InviteLink";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const EntriesPage = () => (
  <PlayerLayout title={msg("My entries")}>
    <Results />
    <InviteLink />
  </PlayerLayout>
);
