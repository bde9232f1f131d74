import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, url, USER } from "../../testing/server";

beforeEach(() => logInAs("player"));

describe("profile (spec sections 2 and 8)", () => {
  test("the card shows who is playing and what they have", async () => {
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "Profile" }));
    const card = within(await screen.findByRole("dialog", { name: "Profile" }));
    expect(card.getByText("wanjiru")).toBeInTheDocument();
    expect(card.getByText("W")).toBeInTheDocument();
    expect(card.getByText("FPL ID: 4242")).toBeInTheDocument();
    expect(await card.findByText("KSh 500")).toBeInTheDocument();
    expect(card.getByText("Paybill").nextSibling).toHaveTextContent("174379");
    expect(card.getByText("Account").nextSibling).toHaveTextContent("5720014");
    for (const name of ["Top Up Wallet", "Withdraw", "Log Out"]) expect(card.getByRole("button", { name })).toBeEnabled();
  });

  test("the FPL ID is optional: without one, none is shown", async () => {
    localStorage.setItem("fplId", "");
    logInAs("player");
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "" })));
    openAt("/payment");
    await screen.findByText("KSh 500");
    await userEvent.click(screen.getByRole("button", { name: "Profile" }));
    const card = within(await screen.findByRole("dialog", { name: "Profile" }));
    expect(card.queryByText(/FPL ID/)).not.toBeInTheDocument();
  });

  test("'Top Up Wallet' opens 'Deposit to Wallet' (spec section 2)", async () => {
    openAt("/payment");
    await openFromProfile("Top Up Wallet");
    expect(await screen.findByRole("dialog", { name: "Deposit to Wallet" })).toBeInTheDocument();
  });

  test("log out can be called off (spec section 2)", async () => {
    openAt("/payment");
    await openFromProfile("Log Out");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(screen.queryByText("Are you sure you want to log out?")).not.toBeInTheDocument();
    expect(localStorage.getItem("token")).not.toBeNull();
  });

  test("log out asks first, and clears everything whatever the server says (spec section 8)", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    server.use(http.post(url("/logout"), noAnswer));
    openAt("/payment");
    await openFromProfile("Log Out");
    expect(await screen.findByText("Are you sure you want to log out?")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Yes, log out" }));
    expect(await screen.findByTestId("/")).toBeInTheDocument();
    expect(localStorage.length).toBe(0);
  });
});
