import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionExpired } from "../lib/session";
import type { LoginState } from "./pages/LoginPage";

/** When the server ends a session, the player logs in again and comes back to where they were. */
export function SessionExpiry() {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const from = pathname + search + hash;

  useEffect(
    () =>
      onSessionExpired(() => {
        const state: LoginState = { from };
        void navigate("/login", { state });
      }),
    [navigate, from],
  );
  return null;
}
