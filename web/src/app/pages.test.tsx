import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { openAt } from "../testing/app";

describe("the pages that are read", () => {
  test.each([
    ["/terms", "Terms"],
    ["/privacy", "Privacy"],
    ["/responsible-play", "Responsible play"],
  ])("%s is reached from every screen's end", async (address, title) => {
    openAt("/login");
    await userEvent.click(await screen.findByRole("link", { name: title }));
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeInTheDocument();
    expect(screen.getByTestId(address)).toBeInTheDocument();
  });
});
