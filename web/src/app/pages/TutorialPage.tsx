import { Link } from "react-router";
import { Tutorial } from "../../features/team-id/Tutorial";
import { Door } from "../Door";

/** Where "Watch the video" leads, unless the operator has set another address. */
export const TutorialPage = () => (
  <Door title="Find your FPL ID" lead="Twenty seconds, without sound.">
    <Tutorial />
    <Link className="link-row" to="/get-fpl-id">
      The same in three pictures
    </Link>
    <Link className="link-row" to="/register">
      Back to registration
    </Link>
  </Door>
);
