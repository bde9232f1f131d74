import { Button } from "@aws-amplify/ui-react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Notice } from "../../components/Notice";
import { rich } from "../../components/rich";
import { SignUpForm } from "../../features/accounts/SignUpForm";
import { useSession } from "../../lib/session";
import { CardLayout } from "../layouts/CardLayout";
import { Redirect } from "../Redirect";
import { homeOf } from "../home";
import type { LoginState } from "./LoginPage";
import { msg } from "../../lib/i18n";

const REGISTERED: LoginState = { registered: true };

export function RegisterPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const session = useSession();

  // By the browser's back, or by a referral link: there is an account already.
  if (session) return <Redirect to={homeOf(session)} />;

  return (
    <CardLayout title={msg("Create Fpl Leagues Account")}>
      <SignUpForm referral={search.get("ref")} onRegistered={() => void navigate("/login", { state: REGISTERED })}>
        <Notice tone="warning">{msg("Use your own team's id. An account that guesses an id gets deleted.")}</Notice>
        <Button isFullWidth onClick={() => void navigate("/get-fpl-id")}>{msg("Get Fpl Id")}</Button>
      </SignUpForm>
      <p className="quiet small">
        {rich(
          msg("By registering you agree to the [terms]. Read how to [play responsibly]."),
          (terms) => <Link to="/terms">{terms}</Link>,
          (how) => <Link to="/responsible-play">{how}</Link>,
        )}
      </p>
      <p>
        {msg("Already registered?")}{" "}
        <Link className="link-row" to="/login">{msg("Log in")}</Link>
      </p>
    </CardLayout>
  );
}
