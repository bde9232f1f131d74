import { Results } from "../../features/entries/Results";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const EntriesPage = () => (
  <PlayerLayout title="My entries">
    <Results />
  </PlayerLayout>
);
