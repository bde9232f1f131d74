import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { logInAs, openAt } from "../../testing/app";

describe("the news (spec section 2)", () => {
  test("/gameweek: six news cards, each with a picture, a title and a summary (spec section 2)", async () => {
    openAt("/gameweek");
    expect(await screen.findByRole("heading", { name: "Premier League Latest" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Gameweek News" })).toBeInTheDocument();
    const cards = screen.getAllByRole("article");
    expect(cards).toHaveLength(6);
    for (const card of cards) {
      expect(card.querySelector("svg")).not.toBeNull();
      expect(within(card).getByRole("heading", { level: 3 })).not.toBeEmptyDOMElement();
      expect(card.querySelector("p")).not.toBeEmptyDOMElement();
    }
  });

  test("'View About Gameweek' leads to the news (spec section 2)", async () => {
    logInAs("player");
    openAt("/payment");
    await userEvent.click(await screen.findByRole("button", { name: "View About Gameweek" }));
    expect(await screen.findByTestId("/gameweek")).toBeInTheDocument();
  });
});
