import { useCallback } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { ResetPasswordForm } from "../../features/accounts/ResetPasswordForm";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

/** Where the mailed link leads; its token is in the address. */
export function ResetPasswordPage() {
  const { token } = useParams();
  const navigate = useNavigate();
  const toLogin = useCallback(() => void navigate("/login", { replace: true }), [navigate]);

  return (
    <CardLayout title={msg("Choose a new password")} lead={msg("Wherever you are logged in, you log in again with it.")}>
      <ResetPasswordForm token={token} onReset={toLogin}>
        <Link className="link-row" to="/forgot-password">{msg("Ask for a new link")}</Link>
      </ResetPasswordForm>
      <Link className="link-row" to="/login">{msg("Back to login")}</Link>
    </CardLayout>
  );
}
