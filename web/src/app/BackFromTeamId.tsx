import { Link } from "react-router";
import { msg } from "../lib/i18n";
import { useSession } from "../lib/session";

/** Back to where a team's id is asked for: of who registers, and of who plays already. */
export const BackFromTeamId = () =>
  useSession() ? (
    <Link className="link-row" to="/payment">{msg("Back to the main page")}</Link>
  ) : (
    <Link className="link-row" to="/register">{msg("Back to registration")}</Link>
  );
