import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { openAt } from "../testing/app";
import { gate } from "../testing/gate";
import { json, server, told, url } from "../testing/server";

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
  test("a player goes to /payment and the session is stored", async () => {
    server.use(http.post(url("/api/login"), () => json(ANSWER)));
    openAt("/");
    await logIn();
    expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
    expect(localStorage.getItem("userId")).toBe("u1");
    expect(localStorage.getItem("token")).toBe("token-1");
  });

  test("an admin goes to /panel, by the role that the server returned", async () => {
    server.use(http.post(url("/api/login"), () => json({ ...ANSWER, role: "admin", fplId: "" })));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("heading", { name: "Admin panel" })).toBeInTheDocument();
  });

  test.each([
    [401, { status: "notexist" }, "Invalid email or password. Please try again."],
    [500, {}, "Server error. Please try again later."],
    [429, { message: "Too many tries. Try again in 60 seconds." }, "Too many tries. Try again in 60 seconds."],
  ])("%d: the text, and what was typed stays", async (status, body, text) => {
    server.use(http.post(url("/api/login"), () => json(body, { status })));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.getByLabelText("Email")).toHaveValue("wanjiru@example.com");
  });

  test("no answer: 'Server error. Please try again later.'", async () => {
    server.use(http.post(url("/api/login"), () => Response.error()));
    openAt("/login");
    await logIn();
    expect(await screen.findByRole("alert")).toHaveTextContent("Server error. Please try again later.");
  });

  test("an overlay stands while it is sent", async () => {
    const login = gate<Response>();
    server.use(http.post(url("/api/login"), login.wait));
    openAt("/login");
    await logIn();
    await login.asked;
    expect(screen.getByText("Logging in, please wait...")).toBeInTheDocument();
    login.open(json(ANSWER));
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
    expect(screen.queryByText("Logging in, please wait...")).not.toBeInTheDocument();
  });

  test("both fields are required, and nothing is sent without them", async () => {
    openAt("/login");
    await userEvent.click(await screen.findByRole("button", { name: "Login" }));
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Enter your email.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("Enter your password.");
  });

  test("a guest is remembered as one and sees no wallet", async () => {
    openAt("/");
    await userEvent.click(await screen.findByRole("button", { name: "Enter as Guest" }));
    expect(await screen.findByText("Hello, Guest")).toBeInTheDocument();
    expect(localStorage.getItem("isGuest")).toBe("true");
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

async function register(fplId = "4242", password = "secret1") {
  await userEvent.type(await screen.findByLabelText("Email"), "wanjiru@example.com");
  await userEvent.type(screen.getByLabelText("Username"), "wanjiru");
  await userEvent.type(screen.getByLabelText("Password"), password);
  await userEvent.type(screen.getByLabelText("FPL ID"), fplId);
  await userEvent.click(screen.getByRole("checkbox", { name: "I am 18 or older." }));
  await userEvent.click(screen.getByRole("button", { name: "Register" }));
}

describe("register (spec sections 2, 4 and 5)", () => {
  test("'notexist' means success: on to /login; the referral goes along", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/signup"), async ({ request }) => {
        sent.push(await request.json());
        return new Response("notexist", { status: 201 });
      }),
    );
    openAt("/register?ref=abc");
    expect(await screen.findByRole("heading", { name: "Create Fpl Leagues Account" })).toBeInTheDocument();
    await register();
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
    expect(sent).toEqual([
      {
        email: "wanjiru@example.com",
        username: "wanjiru",
        password: "secret1",
        fplId: "4242",
        ref: "abc",
        over18: true,
      },
    ]);
  });

  test("taken details are said (departure)", async () => {
    server.use(http.post(url("/api/signup"), () => new Response("exist", { status: 409 })));
    openAt("/signup");
    await register();
    expect(await screen.findByText(/^These details are already registered\. Log in, or reset/)).toBeInTheDocument();
  });

  test("the server's own words for what it refuses", async () => {
    server.use(http.post(url("/api/signup"), () => told(400, "This password is too common.")));
    openAt("/register");
    await register();
    expect(await screen.findByText("This password is too common.")).toBeInTheDocument();
  });

  test("what was typed is there again after looking up the team id, but for the password", async () => {
    openAt("/register");
    await userEvent.type(await screen.findByLabelText("Username"), "wanjiru");
    await userEvent.type(screen.getByLabelText("Password"), "secret1");
    await userEvent.click(screen.getByRole("button", { name: "Get Fpl Id" }));
    await userEvent.click(await screen.findByRole("link", { name: "Back to registration" }));
    expect(await screen.findByLabelText("Username")).toHaveValue("wanjiru");
    expect(screen.getByLabelText("Password")).toHaveValue("");
  });

  test("errors are tied to their fields, and nothing is sent", async () => {
    openAt("/register");
    await register("12ab", "12345");
    expect(screen.getByLabelText("FPL ID")).toHaveAccessibleDescription("FPL ID must be a numeric value.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(
      /Password must be at least 6 characters long\./,
    );
  });
});

test("an unknown address says so", async () => {
  openAt("/nowhere");
  expect(await screen.findByText("There is no such page")).toBeInTheDocument();
});
