import { Link } from "react-router";
import { TrustReport } from "../../features/ledger/trust/TrustReport";
import { Shell } from "../layouts/Shell";
import { msg } from "../../lib/i18n";

/** What anybody may know of the books. */
export function TrustPage() {
  const title = msg("Our books");
  return (
    <Shell title={title} home="/payment">
      <h1 className="page-title">{title}</h1>
      <TrustReport />
      <Link className="link-row" to="/proof">{msg("Check that your money is in the sum")}</Link>
    </Shell>
  );
}
