import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { json, server, told, url } from "../testing/server";

/** What signing up sends as the referral, each time. */
function signUps() {
  const refs: unknown[] = [];
  server.use(
    http.post(url("/api/signup"), async ({ request }) => {
      refs.push(((await request.json()) as { ref?: string }).ref);
      return new Response("notexist", { status: 201 });
    }),
  );
  return refs;
}

async function fill() {
  for (const [label, text] of [["Email", "wanjiru@example.com"], ["Username", "wanjiru"], ["Password", "secret1"], ["FPL ID", "4242"]] as const) {
    await userEvent.clear(await screen.findByLabelText(label));
    await userEvent.type(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole("checkbox", { name: "I am 18 or older." }));
}

async function register() {
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Register" }));
  await screen.findByTestId("/login");
}

const follow = async (role: "link" | "button", name: string) => userEvent.click(await screen.findByRole(role, { name }));

describe("a referral code lasts until the registration", () => {
  test("over looking up the team id", async () => {
    const refs = signUps();
    openAt("/register?ref=abc");
    await follow("button", "Get Fpl Id");
    await follow("link", "Back to registration");
    await register();
    expect(refs).toEqual(["abc"]);
  });

  test("over the login page", async () => {
    const refs = signUps();
    openAt("/register?ref=abc");
    await follow("link", "Log in");
    await follow("link", "Create an account");
    await register();
    expect(refs).toEqual(["abc"]);
  });

  test("a newer link's code replaces it; who has registered leaves none behind", async () => {
    const refs = signUps();
    const first = openAt("/register?ref=abc");
    await screen.findByLabelText("Email");
    first.unmount();
    openAt("/register?ref=def");
    await follow("button", "Get Fpl Id");
    await follow("link", "Back to registration");
    await register();
    await follow("link", "Create an account");
    await register();
    expect(refs).toEqual(["def", undefined]);
  });
});

describe("who is logged in needs no account", () => {
  test.each([
    ["/register", "player", "/payment"],
    ["/signup?ref=abc", "player", "/payment"],
    ["/register", "admin", "/panel"],
    ["/", "player", "/payment"],
  ] as const)("%s as %s: on to %s", async (address, role, to) => {
    logInAs(role);
    openAt(address);
    expect(await screen.findByTestId(to)).toBeInTheDocument();
  });

  test("a referral link is counted all the same", async () => {
    logInAs("player");
    let visits = 0;
    server.use(
      http.get(url("/api/influencer/ref/abc"), () => {
        visits += 1;
        return json({ code: "abc" });
      }),
    );
    openAt("/ref/abc");
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
    expect(visits).toBe(1);
  });
});

describe("a form that cannot be sent yet puts the focus where it has to be mended", () => {
  const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
  const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);

  test("registration: the first of what is wrong, the tick too", async () => {
    openAt("/register");
    await press("Register");
    expect(screen.getByLabelText("Email")).toHaveFocus();
    await type("Email", "wanjiru@example.com");
    await type("Username", "wanjiru");
    await press("Register");
    expect(screen.getByLabelText("Password")).toHaveFocus();
    await type("Password", "secret1");
    await type("FPL ID", "4242");
    await press("Register");
    expect(screen.getByRole("checkbox")).toHaveFocus();
  });

  test("log-in: the first that is missing", async () => {
    openAt("/login");
    await press("Login");
    expect(screen.getByLabelText("Email")).toHaveFocus();
    await type("Email", "wanjiru@example.com");
    await press("Login");
    expect(screen.getByLabelText("Password")).toHaveFocus();
  });

  test("a link for a forgotten password", async () => {
    openAt("/forgot-password");
    await press("Send Reset Link");
    expect(screen.getByLabelText("Email")).toHaveFocus();
  });

  test("a new password", async () => {
    openAt("/reset-password/abc");
    await press("Reset Password");
    expect(screen.getByLabelText("New password")).toHaveFocus();
  });
});

describe("what the server says of a password stands at the password, until another is typed", () => {
  const COMMON = "This password is too common. Choose another.";

  test("registration", async () => {
    server.use(http.post(url("/api/signup"), () => told(400, COMMON)));
    openAt("/register");
    await fill();
    await userEvent.click(screen.getByRole("button", { name: "Register" }));
    const password = screen.getByLabelText("Password");
    await expect.poll(() => password).toHaveFocus();
    expect(password).toHaveAccessibleDescription(new RegExp(COMMON));
    expect(screen.getAllByText(COMMON)).toHaveLength(1);
    await userEvent.type(password, "9");
    expect(screen.queryByText(COMMON)).not.toBeInTheDocument();
  });

  test("a new password: the link is still good", async () => {
    server.use(http.post(url("/api/reset-password/abc"), () => told(400, COMMON)));
    openAt("/reset-password/abc");
    await userEvent.type(await screen.findByLabelText("New password"), "password");
    await userEvent.click(screen.getByRole("button", { name: "Reset Password" }));
    const password = screen.getByLabelText("New password");
    await expect.poll(() => password).toHaveFocus();
    expect(password).toHaveAccessibleDescription(new RegExp(COMMON));
    expect(screen.queryByRole("link", { name: "Ask for a new link" })).not.toBeInTheDocument();
    await userEvent.type(password, "9");
    expect(screen.queryByText(COMMON)).not.toBeInTheDocument();
  });
});
