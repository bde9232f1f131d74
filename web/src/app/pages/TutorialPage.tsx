import { Link } from "react-router";
import { Tutorial } from "../../features/teams/Tutorial";
import { CardLayout } from "../layouts/CardLayout";

/** Where "Watch the video" leads, unless the operator has set another address. */
export const TutorialPage = () => (
  <CardLayout title="Find your FPL ID" lead="Twenty seconds, without sound.">
    <Tutorial />
    <Link className="link-row" to="/get-fpl-id">
      The same in three pictures
    </Link>
    <Link className="link-row" to="/register">
      Back to registration
    </Link>
  </CardLayout>
);
