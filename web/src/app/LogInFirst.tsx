import { Navigate, useLocation } from "react-router";
import type { LoginState } from "./pages/LoginPage";

/** Stands for a page that is for players only: who is not logged in does that, and comes back to it. */
export function LogInFirst() {
  const { pathname, search, hash } = useLocation();
  const state: LoginState = { from: pathname + search + hash };
  return <Navigate to="/login" replace state={state} />;
}
