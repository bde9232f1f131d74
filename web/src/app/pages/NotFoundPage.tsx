import { Link } from "react-router";
import { CardLayout } from "../layouts/CardLayout";

export function NotFoundPage() {
  return (
    <CardLayout title="There is no such page" lead="The address may be mistyped, or the page has moved.">
      <Link className="link-row" to="/">
        Go to the start
      </Link>
    </CardLayout>
  );
}
