import { Results } from "../../features/entries/Results";
import { Own } from "../Own";

export const EntriesPage = () => (
  <Own title="My entries">
    <Results />
  </Own>
);
