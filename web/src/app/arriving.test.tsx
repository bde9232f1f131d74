/** Where the focus is once another screen has come. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { goBack, logInAs, openAt } from "../testing/app";

const title = (name: string) => screen.findByRole("heading", { level: 1, name });

test("on the new screen's heading, at the top; not on the first one", async () => {
  const scrolled = vi.spyOn(window, "scrollTo");
  openAt("/login");
  expect(await title("Log in")).not.toHaveFocus();
  await userEvent.click(screen.getByRole("link", { name: "Privacy" }));
  expect(await title("Privacy")).toHaveFocus();
  expect(scrolled).toHaveBeenLastCalledWith(0, 0);
  act(() => goBack());
  expect(await title("Log in")).toHaveFocus();
});

test("who is logged in only passes through the start", async () => {
  logInAs("player");
  openAt("/");
  expect(await title("Ready for the Gameweek?")).not.toHaveFocus();
});

test("in the dialog that comes with the address, or where it was in what stays", async () => {
  logInAs("player");
  openAt("/payment");
  await title("Ready for the Gameweek?");
  await userEvent.click(await screen.findByRole("button", { name: "Checkout from Wallet" }));
  await screen.findByRole("dialog", { name: "Select Entry Amount" });
  expect(await title("Ready for the Gameweek?")).not.toHaveFocus();
});

test("after a link of a dialog that is closed by it", async () => {
  logInAs("player");
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Profile" }));
  await userEvent.click(await screen.findByRole("link", { name: "Limits and breaks" }));
  expect(await title("Limits and breaks")).toHaveFocus();
});
