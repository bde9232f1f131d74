import { Link } from "react-router";
import { NewsGrid } from "../../features/news/NewsGrid";
import { Shell } from "../layouts/Shell";
import { msg } from "../../lib/i18n";

/** The news page (spec §2): for everybody, and the same for everybody. */
export const GameweekPage = () => (
  <Shell title={msg("Gameweek news")} home="/payment">
    <h1 className="page-title">{msg("Premier League Latest")}</h1>
    <h2 className="section-title">{msg("Gameweek News")}</h2>
    <NewsGrid />
    <Link className="link-row" to="/payment">{msg("Back to the main page")}</Link>
  </Shell>
);
