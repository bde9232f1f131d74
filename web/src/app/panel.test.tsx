import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { json, server, told, url, USER } from "../testing/server";

describe("the panel (spec section 2)", () => {
  test("who is not logged in does that first", async () => {
    openAt("/panel");
    expect(await screen.findByTestId("/login")).toBeInTheDocument();
  });

  test("a player is sent to the main page", async () => {
    logInAs("player");
    openAt("/panel");
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test("its sections", async () => {
    logInAs("admin");
    openAt("/panel");
    for (const name of ["Gameweek Control", "Pending Manual Payments", "Withdrawal Requests", "Influencer Links"]) {
      expect(await screen.findByRole("region", { name })).toBeInTheDocument();
    }
  });

  const GONE = [
    ["is suspended", { ...USER, role: "admin", suspended: true }, "Another admin can end the suspension."],
    ["has lost the role", USER, "not an admin's any more"],
  ] as const;

  test.each(GONE)("an admin whose account %s is told so, and led back", async (_what, user, text) => {
    logInAs("admin");
    server.use(http.get(url("/api/user"), () => json(user)));
    openAt("/panel");
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.queryByRole("region")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Back to the main page" }));
    expect(await screen.findByTestId("/payment")).toBeInTheDocument();
  });

  test.each(GONE)("the first refusal after an account %s says so", async (_what, user, text) => {
    logInAs("admin");
    openAt("/panel");
    const links = within(await screen.findByRole("region", { name: "Influencer Links" }));
    server.use(
      http.get(url("/api/user"), () => json(user)),
      http.get(url("/api/influencers"), () => told(403, "You are not allowed to do this.")),
    );
    await userEvent.click(links.getByRole("button", { name: /refresh/i }));
    expect(await screen.findByText(new RegExp(text))).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Influencer Links" })).not.toBeInTheDocument();
  });

  test("another refusal leaves the panel as it is", async () => {
    logInAs("admin");
    server.use(http.get(url("/api/influencers"), () => told(403, "You are not allowed to do this.")));
    openAt("/panel");
    expect(await screen.findByRole("region", { name: "Withdrawal Requests" })).toBeInTheDocument();
  });
});
