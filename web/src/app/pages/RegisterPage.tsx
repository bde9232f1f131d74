import { Button } from "@aws-amplify/ui-react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { Notice } from "../../components/Notice";
import { RegisterForm } from "../../features/accounts/RegisterForm";
import { useSession } from "../../lib/session";
import { CardLayout } from "../layouts/CardLayout";
import { homeOf } from "../home";
import type { LoginState } from "./LoginPage";

const WELCOME: LoginState = { notice: "Your account is ready. Log in to play." };

export function RegisterPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const session = useSession();

  // By the browser's back, or by a referral link: there is an account already.
  if (session) return <Navigate to={homeOf(session)} replace />;

  return (
    <CardLayout title="Create Fpl Leagues Account">
      <RegisterForm referral={search.get("ref")} onRegistered={() => void navigate("/login", { state: WELCOME })}>
        <Notice tone="warning">Use your own team's id. An account that guesses an id gets deleted.</Notice>
        <Button isFullWidth onClick={() => void navigate("/get-fpl-id")}>
          Get Fpl Id
        </Button>
      </RegisterForm>
      <p className="quiet small">
        By registering you agree to the <Link to="/terms">terms</Link>. Read how to{" "}
        <Link to="/responsible-play">play responsibly</Link>.
      </p>
      <p>
        Already registered?{" "}
        <Link className="link-row" to="/login">
          Log in
        </Link>
      </p>
    </CardLayout>
  );
}
