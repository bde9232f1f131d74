import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { userQuery } from "../../api/queries";
import { Card } from "../../components/Card";
import { dayAndYear } from "../../lib/day-and-year";
import { msg, str } from "../../lib/i18n";

/** Which terms the player has agreed to, and when. */
export function AgreedTerms() {
  const { data: user } = useQuery(userQuery);
  if (!user) return null;
  const { agreed } = user.terms;
  return (
    <Card title={msg("Terms that you agreed to")}>
      {agreed.length === 0 && <p>{msg("None yet. The main page asks you.")}</p>}
      <ul>
        {agreed.map(({ version, at }) => (
          <li key={version}>
            <Link to={`/terms/${version}`}>{msg(str`Terms of ${dayAndYear(new Date(version))}`)}</Link>
            {`, ${msg(str`agreed to on ${dayAndYear(new Date(at))}`)}`}
          </li>
        ))}
      </ul>
    </Card>
  );
}
