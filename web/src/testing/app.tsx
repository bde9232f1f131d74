/** The app at an address, as a player, an admin or nobody. */
import { render } from "@testing-library/react";
import { useEffect } from "react";
import { MemoryRouter, parsePath, useLocation, useNavigate } from "react-router";
import { Pages } from "../app/Pages";
import { startSession } from "../lib/session";
import { USER } from "./server";

export function logInAs(role: "player" | "admin") {
  const { username, fplId, email } = USER;
  startSession({ token: "token-1", userId: "u1", username, fplId, email, role });
}

/** `state`: what the history keeps with the address. */
export const openAt = (address: string, state?: object) =>
  render(
    <MemoryRouter initialEntries={[{ ...parsePath(address), state }]}>
      <Pages />
      <Address />
    </MemoryRouter>,
  );

/** As the phone's own button does. */
export let goBack = () => {};

/** Where the app is, for assertions: `await screen.findByTestId("/leagues")`; the query, and what it leads to on the page, is its text. */
function Address() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => void (goBack = () => void navigate(-1)), [navigate]);
  return <output data-testid={pathname}>{search}{hash}</output>;
}
