import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { openFromProfile } from "../../testing/account";
import { logInAs, openAt } from "../../testing/app";
import { json, noAnswer, server, SETTINGS, told, url } from "../../testing/server";

beforeEach(() => logInAs("player"));

describe("withdrawal (spec sections 2, 5 and 8)", () => {
  async function withdraw(number: string, amount: string) {
    openAt("/payment");
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    await userEvent.type(dialog.getByLabelText("M-Pesa number"), number);
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), amount);
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    return dialog;
  }

  test("a request is sent under a key of its own and the new balance shows", async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(url("/api/withdraw"), async ({ request }) => {
        sent.push(await request.json(), request.headers.get("idempotency-key"));
        return json({ message: "ok", walletBalance: 440 });
      }),
    );
    const dialog = await withdraw("0712 345 678", "60");
    expect(await dialog.findByText("Withdrawal request submitted successfully!")).toBeInTheDocument();
    expect(dialog.getByText(/^KSh 60 goes to 0712345678\./)).toBeInTheDocument();
    expect(sent).toEqual([{ mpesaNumber: "0712345678", amount: 60 }, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(localStorage.getItem("wallet")).toBe("440");
  });

  test("a tax that is kept back is shown before it is asked for, and after", async () => {
    server.use(
      http.get(url("/api/settings"), () => json({ ...SETTINGS, withholdingPercent: 5 })),
      http.post(url("/api/withdraw"), () => json({ message: "ok", walletBalance: 50 })),
    );
    openAt("/payment");
    await openFromProfile("Withdraw");
    const dialog = within(await screen.findByRole("dialog", { name: "Withdraw Funds" }));
    await userEvent.type(dialog.getByLabelText("M-Pesa number"), "0712345678");
    await userEvent.type(dialog.getByLabelText("Amount (KSh)"), "450");
    const tax = "Of it KSh 22 is withholding tax (5 %, rounded down): M-Pesa pays KSh 428.";
    expect(await dialog.findByText(tax)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Withdraw" }));
    expect(await dialog.findByText("Withdrawal request submitted successfully!")).toBeInTheDocument();
    expect(dialog.getByText(tax)).toBeInTheDocument();
  });

  test.each([
    ["0712345678", "abc", "Please enter a valid amount."],
    ["0712345678", "59", "Minimum withdrawal amount is KES 60."],
    ["0712345678", "501", "Insufficient wallet balance."],
    ["0812345678", "60", "Please enter a valid Kenyan M-Pesa number."],
  ])("to %s, %s: %s", async (number, amount, text) => {
    const dialog = await withdraw(number, amount);
    expect(dialog.getByRole("alert")).toHaveTextContent(text);
  });

  test.each([
    [() => told(400, "Not now."), "Not now.", "Nothing left your wallet."],
    [() => json({}, { status: 500 }), "Withdrawal failed", /^Send it again/],
    [noAnswer, "An error occurred while submitting withdrawal.", /^Send it again/],
  ])("a refusal: its text, what became of the money, and the form stays (%#)", async (answer, text, money) => {
    server.use(http.post(url("/api/withdraw"), answer));
    const dialog = await withdraw("0712345678", "60");
    expect(await dialog.findByRole("alert")).toHaveTextContent(text);
    expect(dialog.getByText(money)).toBeInTheDocument();
    expect(dialog.getByLabelText("Amount (KSh)")).toHaveValue("60");
  });
});
