import { Link } from "react-router";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

export function NotFoundPage() {
  return (
    <CardLayout title={msg("There is no such page")} lead={msg("The address may be mistyped, or the page has moved.")}>
      <Link className="link-row" to="/">{msg("Go to the start")}</Link>
    </CardLayout>
  );
}
