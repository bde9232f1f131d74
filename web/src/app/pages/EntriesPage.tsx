import { EntryList } from "../../features/entries/EntryList";
import { InviteLink } from "../../features/influencers/InviteLink";
import { PlayerLayout } from "../layouts/PlayerLayout";
import { msg } from "../../lib/i18n";

export const EntriesPage = () => (
  <PlayerLayout title={msg("My entries")}>
    <EntryList />
    <InviteLink />
  </PlayerLayout>
);
