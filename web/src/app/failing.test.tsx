/** Bad input: whatever comes back, no screen is blank, none breaks, and each offers a way on (spec §8). */
import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { useState } from "react";
import { MemoryRouter, useLocation, useNavigate } from "react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { json, noAnswer, server } from "../testing/server";
import { ErrorBoundary } from "./ErrorBoundary";

const SCREENS = [
  ["/payment", "player", /^(The gameweek|The balance) could not be read just now/],
  ["/leagues?gameweek=3", "player", "The leagues could not be read just now."],
  ["/entries", "player", "Your entries could not be read just now."],
  ["/transactions", "player", "Your transactions could not be read just now."],
  ["/trust", "player", "The books could not be read just now."],
  ["/proof", "player", "It could not be checked just now."],
  ["/withdrawals", "player", "Your withdrawals could not be read just now."],
  ["/gameweeks/3/draw", "player", /could not be read just now/],
  ["/leagues/2026-03-50-00001/settlement", "player", /could not be read just now/],
  ["/panel", "admin", "The payments could not be read just now."],
] as const;

const FAILURES = [
  ["a server error", () => json({}, { status: 500 })],
  ["a gateway's page", () => new HttpResponse("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } })],
  ["another network's page instead of an answer", () => new HttpResponse("<html>Log in to this Wi-Fi</html>", { headers: { "content-type": "text/html" } })],
  ["no network", noAnswer],
] as const;

describe.each(FAILURES)("every call meets %s (spec section 8)", (_what, answer) => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    server.use(http.all("*", answer));
  });

  test.each(SCREENS)("%s says what could not be had, and how to go on", async (address, role, text) => {
    logInAs(role);
    openAt(address);
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    expect(screen.getAllByRole("button", { name: "Try again" }).length).toBeGreaterThan(0);
    expect(screen.queryByText("This screen could not be shown.")).not.toBeInTheDocument();
  }, 15_000);
});

describe("a screen that breaks", () => {
  function Screen() {
    const { pathname } = useLocation();
    if (pathname === "/broken") throw new Error("a mistake of ours");
    return <p>{pathname}</p>;
  }
  function Frame() {
    const navigate = useNavigate();
    const { pathname } = useLocation();
    const [visits, setVisits] = useState(0);
    return (
      <>
        <button onClick={() => setVisits(visits + 1)}>again</button>
        <button onClick={() => void navigate("/well")}>leave</button>
        <ErrorBoundary place={pathname}>
          <Screen />
        </ErrorBoundary>
      </>
    );
  }

  test("is not blank: it says what became of the money and how to go on; another screen is shown again", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    render(
      <MemoryRouter initialEntries={["/broken"]}>
        <Frame />
      </MemoryRouter>,
    );
    expect(screen.getByRole("alert")).toHaveTextContent("This screen could not be shown.");
    expect(screen.getByText(/^Your money is not touched by this\./)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Load again" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Go to the start" })).toHaveAttribute("href", "/");
    await userEvent.click(screen.getByRole("button", { name: "again" }));
    expect(screen.getByRole("alert")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "leave" }));
    expect(screen.getByText("/well")).toBeInTheDocument();
  });
});
