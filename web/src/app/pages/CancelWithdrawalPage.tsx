import { Link, useParams } from "react-router";
import { CancelWithdrawal } from "../../features/withdrawals/CancelWithdrawal";
import { CardLayout } from "../layouts/CardLayout";

/** Where the mail about a withdrawal to a new number leads; its token is in the address. */
export function CancelWithdrawalPage() {
  const { token = "" } = useParams();
  return (
    <CardLayout title="A withdrawal to a new number" lead="Nothing is cancelled before you press the button.">
      <CancelWithdrawal token={token}>
        <Link className="link-row" to="/forgot-password">
          Choose a new password
        </Link>
      </CancelWithdrawal>
      <Link className="link-row" to="/contact">
        Contact us
      </Link>
    </CardLayout>
  );
}
