import { Link, useParams } from "react-router";
import { DrawReport } from "../../features/leagues/draw/DrawReport";
import { Shell } from "../layouts/Shell";
import { msg, str } from "../../lib/i18n";

/** How a gameweek's leagues came about, for anybody to check. */
export function DrawPage() {
  const { gameweek = "" } = useParams();
  const title = msg(str`Draw of gameweek ${gameweek}`);
  return (
    <Shell title={title} home="/payment">
      <h1 className="page-title">{title}</h1>
      <DrawReport gameweek={gameweek} />
      <Link className="link-row" to="/leagues">{msg("Back to the leagues")}</Link>
    </Shell>
  );
}
