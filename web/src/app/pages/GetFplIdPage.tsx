import { Link } from "react-router";
import { Door } from "../Door";

export function GetFplIdPage() {
  return (
    <Door title="Find your FPL ID" lead="It is the number of your team on the fantasy site.">
      <ol className="stack">
        <li>Log in on the fantasy site in a browser, not the app.</li>
        <li>Open the Points tab.</li>
        <li>
          Read the number after <code>/entry/</code> in the address bar.
        </li>
      </ol>
      <Link className="link-row" to="/register">
        Back to registration
      </Link>
    </Door>
  );
}
