import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { expireSession } from "../../lib/session";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { json, server, told, url } from "../../testing/server";

const ANSWER = {
  status: "exist",
  username: "wanjiru",
  fplId: "4242",
  needsTeam: false,
  email: "wanjiru@example.com",
  accessToken: "token-1",
  token: "token-1",
  _id: "u1",
  role: "player",
} satisfies Schemas["LoggedIn"];

async function logIn() {
  await userEvent.type(await screen.findByLabelText("Email"), "wanjiru@example.com");
  await userEvent.type(screen.getByLabelText("Password"), "secret1");
  await userEvent.click(screen.getByRole("button", { name: "Login" }));
}

describe("log in (spec section 2)", () => {
  test("'exist': a player goes to /payment, and the session is stored (spec sections 2 and 4)", async () => {
    server.use(http.post(url("/api/login"), () => json(ANSWER)));
    openAt("/");
    await logIn();
    expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
    expect(screen.getByTestId("/payment")).toBeInTheDocument();
    const stored = { token: "token-1", userId: "u1", username: "wanjiru", fplId: "4242", email: "wanjiru@example.com" };
    for (const [key, value] of Object.entries(stored)) expect(localStorage.getItem(key)).toBe(value);
  });

  test("an admin goes to /panel, by the role that the server returned", async () => {
    server.use(http.post(url("/api/login"), () => json({ ...ANSWER, role: "admin", fplId: "" })));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("heading", { name: "Admin panel" })).toBeInTheDocument();
  });

  test.each([
    [401, { status: "notexist" }, "Invalid email or password. Please try again."],
    [200, { status: "notexist" }, "Invalid email or password. Please try again."],
    [500, {}, "Server error. Please try again later."],
    [429, { message: "Too many tries. Try again in 60 seconds." }, "Too many tries. Try again in 60 seconds."],
  ])("%d: the text, and what was typed stays (spec sections 4 and 8)", async (status, body, text) => {
    server.use(http.post(url("/api/login"), () => json(body, { status })));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.getByLabelText("Email")).toHaveValue("wanjiru@example.com");
  });

  test("no answer: 'Server error. Please try again later.' (spec section 8)", async () => {
    server.use(http.post(url("/api/login"), () => Response.error()));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("alert")).toHaveTextContent("Server error. Please try again later.");
  });

  test("an overlay stands while it is sent (spec sections 2 and 4)", async () => {
    const login = gate<Response>();
    server.use(http.post(url("/api/login"), login.wait));
    openAt("/login");
    await logIn();
    await login.asked;
    expect(screen.getByRole("dialog", { name: "Logging in, please wait..." })).toBeInTheDocument();
    login.open(json(ANSWER));
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
    expect(screen.queryByText("Logging in, please wait...")).not.toBeInTheDocument();
  });

  test("both fields are required, and nothing is sent without them (spec section 5)", async () => {
    openAt("/login");
    await userEvent.click(await screen.findByRole("button", { name: "Login" }));
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Enter your email.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("Enter your password.");
  });

  test("a guest is remembered as one, has no name and sees no wallet (spec sections 2 and 4)", async () => {
    openAt("/");
    await userEvent.click(await screen.findByRole("button", { name: "Enter as Guest" }));
    expect(await screen.findByText("Hello, Guest")).toBeInTheDocument();
    expect(screen.getByTestId("/payment")).toBeInTheDocument();
    expect(localStorage.getItem("isGuest")).toBe("true");
    expect(localStorage.getItem("username")).toBeNull();
    expect(screen.getByText("Want to Join a League?")).toBeInTheDocument();
    expect(screen.queryByText("Wallet balance")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Log in to Join League" }));
    expect(await screen.findByTestId("/")).toBeInTheDocument();
  });

  test("after logging in, the page that was asked for", async () => {
    server.use(http.post(url("/api/login"), () => json({ ...ANSWER, role: "admin" })));
    openAt("/panel");
    await logIn();
    expect(await screen.findByTestId("/panel")).toBeInTheDocument();
  });
});

describe("log in, part by part (spec section 2)", () => {
  test("the logo, the fields, and where the links lead", async () => {
    openAt("/");
    const logo = (await screen.findByText("Leagues")).closest("header");
    expect(logo).toHaveTextContent("FPL Leagues");
    expect(logo?.querySelector("svg")).not.toBeNull();
    expect(screen.getByLabelText("Email")).toHaveAttribute("type", "email");
    expect(screen.getByRole("link", { name: "Forgot password?" })).toHaveAttribute("href", "/forgot-password");
    expect(screen.getByRole("link", { name: "Create an account" })).toHaveAttribute("href", "/register");
  });

  test.each(["/login", "/register", "/reset-password/abc"])("%s: the password is shown and hidden by its button", async (address) => {
    openAt(address);
    const password = await screen.findByLabelText(/^(New p|P)assword$/);
    expect(password).toHaveAttribute("type", "password");
    const toggle = screen.getByRole("switch", { name: "Show password" });
    await userEvent.click(toggle);
    expect(password).toHaveAttribute("type", "text");
    await userEvent.click(toggle);
    expect(password).toHaveAttribute("type", "password");
  });

  test("who was a guest is none any more (spec section 3)", async () => {
    server.use(http.post(url("/api/login"), () => json(ANSWER)));
    openAt("/");
    await userEvent.click(await screen.findByRole("button", { name: "Enter as Guest" }));
    await userEvent.click(await screen.findByRole("button", { name: "Log in to Join League" }));
    await logIn();
    await screen.findByText("Hello, wanjiru");
    expect(localStorage.getItem("isGuest")).toBeNull();
  });

  test("a second submit goes nowhere while one runs", async () => {
    let sent = 0;
    const login = gate<Response>();
    server.use(
      http.post(url("/api/login"), () => {
        sent += 1;
        return login.wait();
      }),
    );
    openAt("/login");
    await logIn();
    await login.asked;
    await userEvent.type(screen.getByLabelText("Password"), "{enter}");
    login.open(json(ANSWER));
    await screen.findByTestId("/payment");
    expect(sent).toBe(1);
  });
});

describe("a session that the server has ended", () => {
  test("says so, and after logging in the page is there again with its address", async () => {
    logInAs("player");
    const ended = () => told(401, "Log in again.");
    server.use(
      http.get(url("/api/me/payments"), ended),
      http.get(url("/api/user"), ended, { once: true }),
      http.get(url("/api/leagues"), ended),
      http.get(url("/api/gameweeks"), ended),
      http.post(url("/refresh"), ended),
      http.post(url("/api/login"), () => json(ANSWER)),
    );
    openAt("/leagues?amount=100#one");
    expect(await screen.findByText("You have been logged out. Log in again.")).toBeInTheDocument();
    expect(localStorage.getItem("token")).toBeNull();
    server.resetHandlers();
    server.use(http.post(url("/api/login"), () => json(ANSWER)));
    await logIn();
    expect(await screen.findByTestId("/leagues")).toHaveTextContent("?amount=100#one");
  });

  test("on a page for players only, too", async () => {
    logInAs("player");
    const ended = () => told(401, "Log in again.");
    server.use(http.get(url("/api/me/transactions"), ended), http.post(url("/refresh"), ended));
    openAt("/transactions#old");
    expect(await screen.findByText("You have been logged out. Log in again.")).toBeInTheDocument();
    server.resetHandlers();
    server.use(http.post(url("/api/login"), () => json(ANSWER)));
    await logIn();
    expect(await screen.findByTestId("/transactions")).toHaveTextContent("#old");
  });

  test("whether the last step was done is to be looked at, and where it was to be done is there again", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    logInAs("admin");
    const withdrawal = { _id: "w1", userId: "u7", username: "otieno", mpesaNumber: "0712345678", amount: 450, pays: 450, status: "pending", createdAt: "2026-08-20T09:00:00Z", flagged: false, flags: [] };
    server.use(
      http.get(url("/api/withdraw"), () => json([withdrawal])),
      http.post(url("/api/withdraw/w1/pay"), () => told(401, "Log in again.")),
      http.post(url("/refresh"), () => told(401, "Log in again.")),
    );
    openAt("/panel#withdrawals");
    await userEvent.click(await screen.findByRole("button", { name: "Pay by M-Pesa" }));
    await userEvent.click(await screen.findByRole("button", { name: "Send the money" }));
    const said = "You have been logged out. Log in again. Look whether your last step was done before you repeat it.";
    expect(await screen.findByText(said)).toBeInTheDocument();
    server.use(http.post(url("/api/login"), () => json({ ...ANSWER, role: "admin" })));
    await logIn();
    expect(await screen.findByTestId("/panel")).toHaveTextContent("#withdrawals");
  });

  test("its last step is not told of beside what another screen has to say", async () => {
    logInAs("player");
    expireSession(true);
    openAt("/login", { registered: true });
    expect(await screen.findByText("Your account is ready. Log in to play.")).toBeInTheDocument();
  });
});
