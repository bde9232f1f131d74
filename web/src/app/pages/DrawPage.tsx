import { Link, useParams } from "react-router";
import { DrawReport } from "../../features/leagues/draw/DrawReport";
import { Shell } from "../layouts/Shell";

/** How a gameweek's leagues came about, for anybody to check. */
export function DrawPage() {
  const { gameweek = "" } = useParams();
  const title = `Draw of gameweek ${gameweek}`;
  return (
    <Shell title={title} home="/payment">
      <h1 className="page-title">{title}</h1>
      <DrawReport gameweek={gameweek} />
      <Link className="link-row" to="/leagues">
        Back to the leagues
      </Link>
    </Shell>
  );
}
