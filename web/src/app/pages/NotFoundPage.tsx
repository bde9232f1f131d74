import { Link } from "react-router";
import { Door } from "../Door";

export function NotFoundPage() {
  return (
    <Door title="There is no such page" lead="The address may be mistyped, or the page has moved.">
      <Link className="link-row" to="/">
        Go to the start
      </Link>
    </Door>
  );
}
