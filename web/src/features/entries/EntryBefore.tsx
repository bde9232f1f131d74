import { Link } from "react-router";
import { msg, str } from "../../lib/i18n";
import type { Entry } from "./entries";
import { isOfSeason, standingInWords, standingOf, type Current } from "./standing";

/** What came, or is to come, of an entry into another gameweek than the current one. */
export const EntryBefore = ({ entry, current }: { entry: Entry; current: Current }) => (
  <Link className="link-row" to={entry.league && isOfSeason(entry, current) ? `/leagues?gameweek=${entry.number}&amount=${entry.amount}` : "/entries"}>
    {msg(str`Gameweek ${entry.number}: ${standingInWords(standingOf(entry), false)}`)}
  </Link>
);
