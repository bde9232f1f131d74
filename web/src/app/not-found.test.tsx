import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openAt } from "../testing/app";

test("an unknown address says so, and leads to the start (spec section 2, the routes)", async () => {
  openAt("/nowhere");
  expect(await screen.findByText("There is no such page")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to the start" })).toHaveAttribute("href", "/");
});
