import { Button } from "@aws-amplify/ui-react";
import { Suspense, useEffect } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { Notice } from "../../components/Notice";
import { LogInForm } from "../../features/accounts/LogInForm";
import { enterAsGuest, sessionWasEnded, takeUntoldEnd, useSession, wasActing } from "../../lib/session";
import { CardLayout } from "../layouts/CardLayout";
import { homeOf } from "../home";
import { Redirect } from "../Redirect";
import { orNothing } from "../../components/part";
import { msg } from "../../lib/i18n";

/** What another screen leaves for this one: where to go back to, and what to say. */
export type LoginState = { from?: string; registered?: boolean } | null;

const Welcome = orNothing(() => import("../../features/welcome/Welcome").then((m) => m.Welcome));

const loggedOut = () =>
  `${msg("You have been logged out. Log in again.")}${wasActing() ? ` ${msg("Look whether your last step was done before you repeat it.")}` : ""}`;

export function LoginPage() {
  const navigate = useNavigate();
  const { state, pathname } = useLocation() as { state: LoginState; pathname: string };
  const session = useSession();
  const notice = state?.registered ? msg("Your account is ready. Log in to play.") : sessionWasEnded() && loggedOut();
  useEffect(() => void takeUntoldEnd());

  // Who opens the product and is still logged in goes on, and so does who was sent here and then logged in in another tab;
  // /login itself always shows the form.
  if (session && (pathname === "/" || state?.from)) return <Redirect to={state?.from ?? homeOf(session)} />;

  return (
    <CardLayout
      title={msg("Log in")}
      lead={msg("Weekly leagues of ten. Top score wins.")}
      beside={pathname === "/" && <Suspense><Welcome /></Suspense>}
    >
      {notice && <Notice tone="info">{notice}</Notice>}
      <LogInForm onLoggedIn={(who) => void navigate(state?.from ?? homeOf(who), { replace: true })} />
      <div className="stack">
        <Link className="link-row" to="/forgot-password">{msg("Forgot password?")}</Link>
        <Button
          isFullWidth
          onClick={() => {
            enterAsGuest();
            void navigate("/payment");
          }}
        >{msg("Enter as Guest")}</Button>
        <p>
          {msg("New here?")}{" "}
          <Link className="link-row" to="/register">{msg("Create an account")}</Link>
        </p>
      </div>
    </CardLayout>
  );
}
