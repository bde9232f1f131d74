import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { describe, expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { openFromProfile } from "../testing/account";
import { logInAs, openAt } from "../testing/app";
import { gate } from "../testing/gate";
import { json, server, SETTINGS, url } from "../testing/server";

async function openTopUp() {
  logInAs("player");
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Top up" }));
  return screen.findByRole("dialog", { name: "Top up with an M-Pesa code" });
}

describe("a tap on the dark area around a dialog", () => {
  // It is the dialog's own, as the browser sees it: nothing of what is in it is hit.
  test("closes it", async () => {
    const dialog = await openTopUp();
    await userEvent.click(dialog);
    expect(dialog).not.toHaveAttribute("open");
  });

  test("a tap in it does not", async () => {
    const dialog = await openTopUp();
    await userEvent.click(within(dialog).getByRole("heading"));
    await userEvent.click(within(dialog).getByLabelText("M-Pesa code"));
    expect(dialog).toHaveAttribute("open");
  });

  test("a text that is marked and let go outside leaves it open, as does the other way round", async () => {
    const dialog = await openTopUp();
    const field = within(dialog).getByLabelText("M-Pesa code");
    for (const [from, to] of [[field, dialog], [dialog, field]] as const) {
      fireEvent.pointerDown(from);
      fireEvent.pointerUp(to);
      // The browser's click is that of what holds both.
      fireEvent.click(dialog);
      expect(dialog).toHaveAttribute("open");
    }
  });

  test("is nothing while something runs", async () => {
    const sent = gate<Response>();
    server.use(http.post(url("/api/manual-payment"), sent.wait));
    const dialog = await openTopUp();
    await userEvent.type(within(dialog).getByLabelText("M-Pesa code"), "NLJ7RT61SV{enter}");
    await sent.asked;
    await userEvent.click(dialog);
    expect(dialog).toHaveAttribute("open");
    sent.open(json({ _id: "m1" }, { status: 201 }));
    expect(await within(dialog).findByText("Success wallet updated shortly")).toBeInTheDocument();
  });
});

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

// A tax begins at midnight, while the page is open.
test.each([
  ["an entry by a prompt", () => press("KSh 50"), "KSh 52: KSh 50 stake and KSh 2 excise duty (5 %, rounded down)."],
  ["a deposit", () => openFromProfile("Top Up Wallet"), "Of what you pay in, 5 % is excise duty."],
  ["a typed code", () => press("Top up"), "Of what you pay in, 5 % is excise duty."],
  ["a withdrawal", () => openFromProfile("Withdraw"), "From KSh 80. You have KSh 500."],
])("%s: the settings are read anew when its dialog opens", async (_what, openDialog, text) => {
  let settings: Schemas["PublicSettings"] = SETTINGS;
  server.use(http.get(url("/api/settings"), () => json(settings)));
  logInAs("player");
  openAt("/payment");
  await openDialog();
  await press("Close");
  settings = { ...SETTINGS, excisePercent: 5, minimumWithdrawal: 80 };
  await openDialog();
  expect(await screen.findByText(text)).toBeInTheDocument();
});

test("a guest's menu leads to the log-in and to the registration", async () => {
  openAt("/payment");
  await userEvent.click(await screen.findByRole("button", { name: "Menu" }));
  const links = within(screen.getByRole("navigation", { name: "Menu" })).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Log in", "/login"],
    ["Create an account", "/register"],
    ["Main page", "/payment"],
    ["Leagues", "/leagues"],
    ["Gameweek news", "/gameweek"],
    ["Contact", "/contact"],
  ]);
});
