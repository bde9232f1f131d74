import { Link } from "react-router";
import { ForgotPasswordForm } from "../../features/accounts/ForgotPasswordForm";
import { CardLayout } from "../layouts/CardLayout";

export const ForgotPasswordPage = () => (
  <CardLayout title="Forgot your password?" lead="We send a link to your email. It is good once, for 30 minutes.">
    <ForgotPasswordForm />
    <Link className="link-row" to="/login">
      Back to login
    </Link>
  </CardLayout>
);
