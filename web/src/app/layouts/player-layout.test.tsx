import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, server, url } from "../../testing/server";

beforeEach(() => logInAs("player"));

test.each(["/entries", "/transactions", "/withdrawals"])(
  "%s is for players: who is not logged in does that first, and comes back",
  async (address) => {
    localStorage.clear();
    server.use(
      http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })),
      http.get(url("/api/me/transactions"), () => json([])),
      http.post(url("/api/login"), () =>
        json({ status: "exist", accessToken: "t", token: "t", _id: "u1", username: "w", fplId: "1", email: "w@x.co", role: "player" }),
      ),
    );
    window.dispatchEvent(new StorageEvent("storage"));
    const { unmount } = openAt("/login");
    unmount();
    openAt(address);
    await userEvent.type(await screen.findByLabelText("Email"), "w@x.co");
    await userEvent.type(screen.getByLabelText("Password"), "secret1");
    await userEvent.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByTestId(address)).toBeInTheDocument();
    expect(await screen.findByRole("heading", { level: 1 })).toBeInTheDocument();
  },
);

test("the menu leads to them", async () => {
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Menu" }));
  const menu = within(screen.getByRole("navigation", { name: "Menu" }));
  expect(menu.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/payment",
    "/leagues",
    "/entries",
    "/transactions",
    "/withdrawals",
    "/notifications",
    "/account",
    "/limits",
    "/contact",
  ]);
});
