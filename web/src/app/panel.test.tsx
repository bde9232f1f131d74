import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { logInAs, openAt } from "../testing/app";

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
});
