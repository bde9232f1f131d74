import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { json, server, told, url } from "../../testing/server";

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
    expect(screen.getByText("Your account is ready. Log in to play.")).toBeInTheDocument();
    expect(sent).toEqual([
      {
        email: "wanjiru@example.com",
        username: "wanjiru",
        password: "secret1",
        fplId: "4242",
        ref: "abc",
        over18: true,
        terms: "2026-08-01",
        language: "en",
      },
    ]);
  });

  test("the warning, the way to the team id, and the link to login (spec section 2)", async () => {
    openAt("/register");
    expect(await screen.findByText(/An account that guesses an id gets deleted\.$/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/login");
    await userEvent.click(screen.getByRole("button", { name: "Get Fpl Id" }));
    expect(await screen.findByTestId("/get-fpl-id")).toBeInTheDocument();
  });

  test("the loading overlay shows while submitting (spec section 4)", async () => {
    const signup = gate<Response>();
    server.use(http.post(url("/api/signup"), signup.wait));
    openAt("/register");
    await register();
    await signup.asked;
    expect(screen.getByRole("dialog", { name: "Creating your account, please wait..." })).toBeInTheDocument();
    signup.open(new Response("exist", { status: 409 }));
    await screen.findByText(/^These details are already registered/);
    expect(screen.queryByText("Creating your account, please wait...")).not.toBeInTheDocument();
  });

  test.each([
    ["another answer", () => new Response("exist"), /^These details are already registered/],
    ["a server error", () => json({}, { status: 500 }), "Server error. Please try again later."],
    ["no answer", () => Response.error(), "Server error. Please try again later."],
  ])("%s stops loading, and what was typed stays (spec sections 4 and 8; the text is a departure)", async (_what, answer, text) => {
    server.use(http.post(url("/api/signup"), answer));
    openAt("/register");
    await register();
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Register" })).toBeEnabled();
    for (const [label, value] of [["Email", "wanjiru@example.com"], ["Username", "wanjiru"], ["Password", "secret1"], ["FPL ID", "4242"]] as const) {
      expect(screen.getByLabelText(label)).toHaveValue(value);
    }
  });

  test("every field is required, the tick too, and nothing is sent (spec section 5)", async () => {
    openAt("/register");
    await userEvent.click(await screen.findByRole("button", { name: "Register" }));
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Enter your email.");
    expect(screen.getByLabelText("Username")).toHaveAccessibleDescription(/Choose a username\./);
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(/at least 6 characters long\./);
    expect(screen.getByLabelText("FPL ID")).toHaveAccessibleDescription("FPL ID must be a numeric value.");
    expect(screen.getByRole("checkbox")).toHaveAccessibleDescription("You must be 18 or older to play.");
    expect(screen.getAllByRole("alert")).toHaveLength(5);
  });

  test("an email must be a valid one; a username takes 12 characters; the id has a numeric keyboard (spec section 5)", async () => {
    openAt("/register");
    await userEvent.type(await screen.findByLabelText("Email"), "wanjiru@");
    await userEvent.type(screen.getByLabelText("Username"), "thirteen_char");
    await userEvent.click(screen.getByRole("button", { name: "Register" }));
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription("Enter a valid email.");
    expect(screen.getByLabelText("Username")).toHaveValue("thirteen_cha");
    expect(screen.getByLabelText("FPL ID")).toHaveAttribute("inputmode", "numeric");
    expect(screen.getByLabelText("FPL ID")).toHaveAttribute("type", "text");
    expect(screen.getByRole("form", { name: "Register" })).toHaveAttribute("novalidate");
  });

  test("taken details are said (departure)", async () => {
    server.use(http.post(url("/api/signup"), () => new Response("exist", { status: 409 })));
    openAt("/signup");
    await register();
    expect(await screen.findByText(/^These details are already registered\. Log in, or reset/)).toBeInTheDocument();
  });

  test.each([
    ["username", "Username", /This username is taken\. Choose another one\./],
    ["fplId", "FPL ID", /^This FPL ID is linked to another account\.$/],
  ])("a %s that is taken is said at its field, until another is typed", async (name, label, text) => {
    server.use(http.post(url("/api/signup"), () => new Response("exist", { status: 409, headers: { "x-taken": name } })));
    openAt("/register");
    await register();
    const field = await screen.findByLabelText(label);
    await waitFor(() => expect(field).toHaveAccessibleDescription(text));
    expect(field).toHaveFocus();
    expect(screen.queryByText(/^These details are already registered/)).not.toBeInTheDocument();
    expect(screen.queryAllByRole("button", { name: "Register and prove my team" })).toHaveLength(name === "fplId" ? 1 : 0);
    await userEvent.type(field, "7");
    expect(field).not.toHaveAccessibleDescription(text);
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
