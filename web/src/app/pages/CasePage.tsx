import { Link, useParams } from "react-router";
import { CaseThread } from "../../features/accounts/CaseThread";
import { msg } from "../../lib/i18n";
import { PlayerLayout } from "../layouts/PlayerLayout";

export function CasePage() {
  const { id = "" } = useParams();
  return (
    <PlayerLayout title={msg("Something is wrong?")}>
      <CaseThread key={id} id={id} />
      <Link className="link-row" to="/cases">{msg("All that you told us")}</Link>
    </PlayerLayout>
  );
}
