/** A player's account in the tests: the registration's form, and what the profile leads to. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

export async function fillRegistration() {
  for (const [label, text] of [["Email", "wanjiru@example.com"], ["Username", "wanjiru"], ["Password", "secret1"], ["FPL ID", "4242"]] as const) {
    await userEvent.clear(await screen.findByLabelText(label));
    await userEvent.type(screen.getByLabelText(label), text);
  }
  await userEvent.click(screen.getByRole("checkbox", { name: "I am 18 or older." }));
}

export async function openFromProfile(button: string) {
  await userEvent.click(await screen.findByRole("button", { name: "Profile" }));
  await userEvent.click(await screen.findByRole("button", { name: button }));
}
