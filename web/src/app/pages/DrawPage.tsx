import { Link, useParams } from "react-router";
import { DrawReport } from "../../features/draw/DrawReport";
import { Shell } from "../Shell";

/** How a gameweek's leagues came about, for anybody to check. */
export function DrawPage() {
  const { gameweek = "" } = useParams();
  return (
    <Shell title={`Draw of gameweek ${gameweek}`} home="/payment">
      <h1 className="page-title">Draw of gameweek {gameweek}</h1>
      <DrawReport gameweek={Number(gameweek)} />
      <Link className="link-row" to="/leagues">
        Back to the leagues
      </Link>
    </Shell>
  );
}
