import { Link, useParams } from "react-router";
import { SettlementReport } from "../../features/settlement/SettlementReport";
import { gameweekOf, leagueNumber } from "../../lib/gameweek";
import { Shell } from "../layouts/Shell";
import { msg, str } from "../../lib/i18n";

/** How a league was paid, for anybody to check. */
export function SettlementPage() {
  const { league = "" } = useParams();
  const title = msg(str`Group #${leagueNumber(league)}, gameweek ${gameweekOf(league)}`);
  return (
    <Shell title={title} home="/payment">
      <h1 className="page-title">{title}</h1>
      <SettlementReport league={league} />
      <Link className="link-row" to="/leagues">{msg("Back to the leagues")}</Link>
    </Shell>
  );
}
