import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionExpired, takeUntoldEnd } from "../lib/session";
import type { LoginState } from "./pages/LoginPage";

/** When the server ends a session, the player logs in again and comes back to where they were. */
export function SessionExpiry() {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const from = pathname + search + hash;

  useEffect(() => {
    const logIn = (replace: boolean) => {
      const state: LoginState = { from };
      void navigate("/login", { state, replace });
    };
    // It ended before anybody listened, as when the app was closed.
    if (takeUntoldEnd()) logIn(true);
    return onSessionExpired(() => logIn(false));
  }, [navigate, from]);
  return null;
}
