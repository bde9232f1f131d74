import { Link } from "react-router";
import { Tutorial } from "../../features/teams/Tutorial";
import { BackFromTeamId } from "../BackFromTeamId";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

/** Where "Watch the video" leads, unless the operator has set another address. */
export const TutorialPage = () => (
  <CardLayout title={msg("Find your FPL ID")} lead={msg("Twenty seconds, without sound.")}>
    <Tutorial />
    <Link className="link-row" to="/get-fpl-id">{msg("The same in three pictures")}</Link>
    <BackFromTeamId />
  </CardLayout>
);
