import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { fillRegistration } from "../../testing/account";
import { openAt } from "../../testing/app";
import { server, told, url } from "../../testing/server";

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
    await fillRegistration();
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
