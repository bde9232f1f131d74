import { Suspense } from "react";
import { Link, useParams } from "react-router";
import { orNothing } from "../../components/part";
import { SettlementReport } from "../../features/settlement/SettlementReport";
import { gameweekOf, leagueNumber } from "../../lib/gameweek";
import { useSession } from "../../lib/session";
import { Shell } from "../layouts/Shell";
import { msg, str } from "../../lib/i18n";

const OwnNews = orNothing(() => import("../OwnNews").then((m) => m.OwnNews));

/** How a league was paid, for anybody to check. The mail about a prize leads its winner here. */
export function SettlementPage() {
  const { league = "" } = useParams();
  const session = useSession();
  const title = msg(str`Group #${leagueNumber(league)}, gameweek ${gameweekOf(league)}`);
  return (
    <Shell title={title} home="/payment">
      <h1 className="page-title">{title}</h1>
      <SettlementReport league={league} />
      <Link className="link-row" to="/leagues">{msg("Back to the leagues")}</Link>
      {session && (
        <Suspense fallback={null}>
          <OwnNews session={session} />
        </Suspense>
      )}
    </Shell>
  );
}
