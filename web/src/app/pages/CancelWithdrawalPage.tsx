import { Link, useParams } from "react-router";
import { CancelWithdrawal } from "../../features/withdrawals/CancelWithdrawal";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

/** Where the mail about a withdrawal to a new number leads; its token is in the address. */
export function CancelWithdrawalPage() {
  const { token = "" } = useParams();
  return (
    <CardLayout title={msg("A withdrawal to a new number")} lead={msg("Nothing is cancelled before you press the button.")}>
      <CancelWithdrawal token={token}>
        <Link className="link-row" to="/forgot-password">{msg("Choose a new password")}</Link>
      </CancelWithdrawal>
      <Link className="link-row" to="/contact">{msg("Contact us")}</Link>
    </CardLayout>
  );
}
