import { useCallback } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { ResetPasswordForm } from "../../features/accounts/ResetPasswordForm";
import { CardLayout } from "../layouts/CardLayout";

/** Where the mailed link leads; its token is in the address. */
export function ResetPasswordPage() {
  const { token } = useParams();
  const navigate = useNavigate();
  const toLogin = useCallback(() => void navigate("/login", { replace: true }), [navigate]);

  return (
    <CardLayout title="Choose a new password" lead="Wherever you are logged in, you log in again with it.">
      <ResetPasswordForm token={token} onReset={toLogin}>
        <Link className="link-row" to="/forgot-password">
          Ask for a new link
        </Link>
      </ResetPasswordForm>
      <Link className="link-row" to="/login">
        Back to login
      </Link>
    </CardLayout>
  );
}
