/** A session that the server has ended, here or in another tab: the player logs in again, and comes back to where they were. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { expireSession } from "../lib/session";
import { goBack, logInAs, openAt } from "../testing/app";
import { json, server, url, USER } from "../testing/server";

const SAID = "You have been logged out. Log in again.";

beforeEach(() => logInAs("player"));

async function logInAgain() {
  const { username, fplId, email, _id } = USER;
  server.use(http.post(url("/api/login"), () => json({ status: "exist", username, fplId, email, accessToken: "token-3", _id, role: "player" })));
  await userEvent.type(await screen.findByLabelText("Email"), email);
  await userEvent.type(screen.getByLabelText("Password"), "secret1");
  await userEvent.click(screen.getByRole("button", { name: "Login" }));
}

describe("one that had ended before the app was open", () => {
  test.each(["/payment", "/leagues?amount=100", "/entries"])("%s: it is said, and the log-in leads back", async (address) => {
    expireSession();
    openAt(address);
    expect(await screen.findByText(SAID)).toBeInTheDocument();
    await logInAgain();
    const [path = "", search = ""] = address.split("?");
    expect(await screen.findByTestId(path)).toHaveTextContent(search && `?${search}`);
  });

  test("it is said once: whoever then looks at what guests see is left there", async () => {
    expireSession();
    openAt("/leagues");
    expect(await screen.findByText(SAID)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Contact" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Contact" })).toBeInTheDocument();
    expect(screen.getByTestId("/contact")).toBeInTheDocument();
  });

  test("the log-in page says it as well: nobody is sent back to it", async () => {
    expireSession();
    openAt("/");
    expect(await screen.findByText(SAID)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Contact" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Contact" })).toBeInTheDocument();
    expect(screen.getByTestId("/contact")).toBeInTheDocument();
  });
});

describe("in another tab", () => {
  /** Both share the storage, and this one hears of it. */
  const there = (change: () => void) =>
    act(() => {
      change();
      window.dispatchEvent(new StorageEvent("storage"));
    });

  test("it was ended by the server: the same here, and once", async () => {
    openAt("/payment");
    await screen.findByText("Hello, wanjiru");
    there(() => localStorage.removeItem("token"));
    expect(await screen.findByText(SAID)).toBeInTheDocument();
    there(() => localStorage.removeItem("username"));
    act(() => goBack());
    expect(await screen.findByText("Hello, Guest")).toBeInTheDocument();
    expect(screen.getByTestId("/payment")).toBeInTheDocument();
  });

  test("it was ended by the server, and they logged in again there: this one goes on where it was", async () => {
    openAt("/entries");
    await screen.findByRole("heading", { level: 1, name: "My entries" });
    there(() => localStorage.removeItem("token"));
    expect(await screen.findByText(SAID)).toBeInTheDocument();
    there(() => localStorage.setItem("token", "token-4"));
    expect(await screen.findByTestId("/entries")).toBeInTheDocument();
  });

  test.each([
    ["they logged out", () => localStorage.clear()],
    ["they went on as a guest", () => (localStorage.setItem("isGuest", "true"), localStorage.removeItem("token"))],
  ])("%s: nobody is asked to log in", async (_what, change) => {
    openAt("/payment");
    await screen.findByText("Hello, wanjiru");
    there(change);
    expect(await screen.findByText("Hello, Guest")).toBeInTheDocument();
    expect(screen.getByTestId("/payment")).toBeInTheDocument();
  });
});
