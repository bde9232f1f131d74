import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { json, server, told, url, USER } from "../../testing/server";

beforeEach(() => logInAs("player"));

describe("a new season", () => {
  async function link(typed: string) {
    server.use(http.get(url("/api/user"), () => json({ ...USER, needsTeam: true })));
    openAt("/payment");
    await userEvent.type(await screen.findByLabelText("FPL ID"), typed);
    await userEvent.click(screen.getByRole("button", { name: "Link my team" }));
  }

  test("asks for the team's new id, and plays on with it", async () => {
    const sent: unknown[] = [];
    server.use(
      http.put(url("/api/user/team"), async ({ request }) => {
        sent.push(await request.json());
        server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "777" })));
        return json({ fplId: "777", teamName: "Nairobi Rangers", message: "Your team is linked." });
      }),
    );
    await link("777");
    expect(await screen.findByText("Your team is linked. Welcome, Nairobi Rangers.")).toBeInTheDocument();
    expect(sent).toEqual([{ fplId: "777" }]);
    expect(localStorage.getItem("fplId")).toBe("777");
  });

  test("until it is linked nothing can be entered, and it is said what to do", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "", needsTeam: true })));
    const { unmount } = openAt("/payment");
    const first = "Link your team first. You can enter a league once it is linked.";
    expect(await screen.findByText(first)).toBeInTheDocument();
    for (const name of ["KSh 50", "KSh 100", "KSh 250", "Checkout from Wallet"]) expect(screen.getByRole("button", { name })).toBeDisabled();
    unmount();
    openAt("/checkout-wallet");
    const dialog = within(await screen.findByRole("dialog", { name: "Select Entry Amount" }));
    expect(await dialog.findByText(first)).toBeInTheDocument();
    expect(dialog.getByRole("button", { name: "Join for 50" })).toBeDisabled();
  });

  test("an id that is none is told at the field, a refusal in the server's words", async () => {
    server.use(http.put(url("/api/user/team"), () => told(409, "That team is linked to another account.")));
    await link("7a");
    expect(screen.getByLabelText("FPL ID")).toHaveAccessibleDescription("FPL ID must be a numeric value.");
    await userEvent.type(screen.getByLabelText("FPL ID"), "{backspace}7");
    await userEvent.click(screen.getByRole("button", { name: "Link my team" }));
    expect(await screen.findByText("That team is linked to another account.")).toBeInTheDocument();
  });
});
