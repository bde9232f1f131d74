import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { openAt } from "../../testing/app";
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

describe("a code at log-in", () => {
  const asks = (message = "Enter the code from your authenticator app.") => json({ status: "totp", message }, { status: 401 });

  /** Answers each log-in in turn and remembers what was sent. */
  function answering(...answers: (() => Response)[]) {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/login"), async ({ request }) => {
        sent.push(await request.json());
        return answers[sent.length - 1]?.();
      }),
    );
    return sent;
  }
  const show = async (code: string) => {
    const field = await screen.findByLabelText("Code");
    await userEvent.clear(field);
    await userEvent.type(field, code);
    await userEvent.click(screen.getByRole("button", { name: "Login" }));
  };

  test("it is asked for after the password, and the same log-in goes again with it", async () => {
    const admin = () => json({ ...ANSWER, role: "admin", fplId: "" });
    const sent = answering(asks, () => asks("That code is not right."), admin);
    openAt("/login");
    await logIn();
    expect(await screen.findByLabelText("Code")).toHaveFocus();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    await show("000000");
    expect(await screen.findByRole("alert")).toHaveTextContent("That code is not right.");
    await show(" 492039 ");
    expect(await screen.findByRole("heading", { name: "Admin panel" })).toBeInTheDocument();
    const who = { email: "wanjiru@example.com", password: "secret1" };
    expect(sent).toEqual([who, { ...who, totp: "000000" }, { ...who, totp: "492039" }]);
  });

  test("without a code nothing is sent, and another account can be used", async () => {
    const sent = answering(asks);
    openAt("/login");
    await logIn();
    await userEvent.click(await screen.findByRole("button", { name: "Use another account" }));
    expect(screen.getByLabelText("Password")).toHaveValue("");
    await userEvent.type(screen.getByLabelText("Password"), "secret1");
    server.use(http.post(url("/api/login"), () => asks()));
    await userEvent.click(screen.getByRole("button", { name: "Login" }));
    await screen.findByLabelText("Code");
    await userEvent.click(screen.getByRole("button", { name: "Login" }));
    expect(screen.getByRole("alert")).toHaveTextContent("Enter the code from your authenticator app.");
    expect(sent).toHaveLength(1);
  });

  test.each([
    [() => told(429, "Too many tries. Try again in 60 seconds."), "Too many tries. Try again in 60 seconds."],
    [() => Response.error(), "Server error. Please try again later."],
  ])("what else comes of a code is said, and it stays (%#)", async (answer, text) => {
    answering(asks, answer);
    openAt("/login");
    await logIn();
    await show("492039");
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.getByLabelText("Code")).toHaveValue("492039");
  });
});
