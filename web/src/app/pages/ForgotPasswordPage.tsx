import { Link } from "react-router";
import { ForgotPasswordForm } from "../../features/accounts/ForgotPasswordForm";
import { CardLayout } from "../layouts/CardLayout";
import { msg } from "../../lib/i18n";

export const ForgotPasswordPage = () => (
  <CardLayout title={msg("Forgot your password?")} lead={msg("We send a link to your email. It is good once, for 30 minutes.")}>
    <ForgotPasswordForm />
    <Link className="link-row" to="/login">{msg("Back to login")}</Link>
  </CardLayout>
);
