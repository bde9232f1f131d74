import { OwnLimits } from "../../features/accounts/OwnLimits";
import { StopPlaying } from "../../features/accounts/StopPlaying";
import { MonthSoFar } from "../../features/ledger/MonthSoFar";
import { Link } from "react-router";
import { rich } from "../../components/rich";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export const LimitsPage = () => (
  <PlayerLayout title={msg("Limits and breaks")}>
    <MonthSoFar />
    <OwnLimits />
    <StopPlaying />
    <p>{rich(msg("More about it: [Responsible play]."), (name) => <Link to="/responsible-play">{name}</Link>)}</p>
  </PlayerLayout>
);
