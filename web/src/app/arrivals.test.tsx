/** Who pays by hand, as the page tells them, sees the money come. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { expect, test, vi } from "vitest";
import { logInAs, openAt } from "../testing/app";
import { json, server, url, USER } from "../testing/server";

test.each([
  ["/payment", ["Profile"], "Profile"],
  ["/payment", ["Profile", "Top Up Wallet"], "Deposit to Wallet"],
  ["/payment", ["Top up"], "Top up with an M-Pesa code"],
  ["/transactions", ["Profile", "Top Up Wallet"], "Deposit to Wallet"],
])("on %s by %j: while the paybill is shown, and not after", async (address, buttons, name) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let [wallet, asked] = [0, 0];
  const movements = vi.fn();
  server.use(
    http.get(url("/api/user"), () => {
      asked += 1;
      return json({ ...USER, wallet });
    }),
    http.get(url("/api/users/u1/wallet"), () => json({ wallet })),
    http.get(url("/api/me/transactions"), () => {
      movements();
      return json([]);
    }),
  );
  logInAs("player");
  openAt(address);
  for (const button of buttons) await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(await screen.findByRole("dialog", { name }));
  await dialog.findByText("174379");
  const before = movements.mock.calls.length;
  wallet = 730;
  await vi.advanceTimersByTimeAsync(21_000);
  await expect.poll(() => localStorage.getItem("wallet")).toBe("730");
  // What else shows money is read anew with it.
  if (address === "/transactions") await expect.poll(() => movements.mock.calls.length).toBeGreaterThan(before);
  await user.click(dialog.getByRole("button", { name: "Close" }));
  const atClosing = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(atClosing);
});
