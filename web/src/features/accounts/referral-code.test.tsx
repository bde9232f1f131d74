import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { fillRegistration } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, server, url } from "../../testing/server";

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

async function register() {
  await fillRegistration();
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
