/**
 * What the screen says about money before the draw, in a real browser against the whole local stack: what the draw would
 * make of those who are in, an entry that another phone or a page that was left has made, an answer that is lost on the
 * way, the ways that are left at a limit, and amounts that are typed with a comma or a point.
 */
import { expect, test } from "@playwright/test";
import { askForDeposit, askToPay, balance, joinFromWallet, logIn, newPerson, newPhone, register } from "./steps";
import { World } from "./world";

const WHOLE_SHILLINGS = "Enter whole shillings, without a point: 10, or 1,000.";
const OF_TWELVE = /12 in: two leagues of 6, each pays KSh 540\. 8 more make two of ten, KSh 900 each\./;

test("what the screen says about money is true, whatever another phone or a bad line does", async ({ browser, request }) => {
  const world = new World(request);
  const { isOpen, gameweek } = await world.gameweek();
  expect(isOpen && gameweek !== null, "no gameweek is open: start the stack anew").toBe(true);
  /** Somebody new, on a phone of their own. */
  const player = async (name: string) => {
    const [page, who] = [await newPhone(browser), newPerson(name)];
    await register(page, who);
    await logIn(page, who);
    return { page, who };
  };

  const amina = await test.step("twelve are in: no page promises the prize of a full league", async () => {
    // How many are in is counted once a minute.
    await world.advance(61);
    const entries = (await world.gameweek()).amounts.find(({ entryAmount }) => entryAmount === 100)?.entries ?? 0;
    expect(entries, "more have joined at KSh 100 than this test reckons with: start the stack anew").toBeLessThanOrEqual(12);
    await world.morePlayers(12 - entries, 100);
    await world.advance(61);
    const guest = await newPhone(browser);
    await guest.goto("/payment");
    await expect(guest.getByText(OF_TWELVE)).toBeVisible();
    await expect(guest.getByText("A league pays 90 % of what it collects; 10 % is the fee.")).toBeVisible();
    await guest.goto("/leagues?amount=100");
    await expect(guest.getByText(OF_TWELVE)).toBeVisible();
    await expect(guest.getByText(/^Pays KSh/)).toHaveCount(0);
    const { page, who } = await player("amina");
    await expect(page.getByText("You have not joined yet.")).toBeVisible();
    await expect(page.getByText(OF_TWELVE)).toBeVisible();
    await page.getByRole("button", { name: "KSh 100", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Pay KSh 100" });
    await expect(dialog.getByText(OF_TWELVE)).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    return { page, who };
  });

  await test.step("what a prompt has paid for while the page was left is told on coming back", async () => {
    const { page, who } = amina;
    await askToPay(page, who.phone, 100);
    await expect(page.getByText("Check your phone to complete the payment")).toBeVisible();
    await page.goto("/contact");
    await world.approve(who.phone, 100);
    await page.goto("/payment");
    await expect(page.getByText("Your payment of KSh 100 arrived and paid for your entry.")).toBeVisible();
    await expect(page.getByText("You are in: KSh\u00a0100.")).toBeVisible();
  });

  await test.step("who has joined from another phone is not sent to top up", async () => {
    const { page, who } = await player("baraka");
    await askForDeposit(page, who.phone, 50);
    await world.approve(who.phone, 50);
    await expect(balance(page)).toContainText("KSh 50");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByRole("button", { name: "Checkout from Wallet" }).click();
    const another = await newPhone(browser);
    await logIn(another, who);
    await joinFromWallet(another, 50);
    await expect(another).toHaveURL(/\/leagues\?amount=50$/);
    await page.getByRole("button", { name: "Join for 50" }).click();
    await expect(page.getByText("You already joined this gameweek.").first()).toBeVisible();
    await expect(page.getByText(/^Insufficient/)).toBeHidden();
    await expect(page.getByText("You are in: KSh\u00a050.")).toBeVisible();
    await expect(balance(page)).toContainText("KSh 0");
  });

  await test.step("a payment has made its entry, though the answer to the join is lost", async () => {
    const { page, who } = await player("chebet");
    await page.route("**/api/join-league", (route) => route.abort());
    await askToPay(page, who.phone, 250);
    await world.approve(who.phone, 250);
    await expect(page).toHaveURL(/\/leagues\?amount=250$/);
    await expect(page.getByRole("row", { name: who.username })).toBeVisible();
    await page.goto("/payment");
    await expect(page.getByText("You are in: KSh\u00a0250.")).toBeVisible();
    await page.getByRole("button", { name: "View Leagues" }).click();
    await expect(page).toHaveURL(/\/leagues\?amount=250$/);
  });

  await test.step("after too many prompts the dialog offers the wallet, and the paybill with the account", async () => {
    const { page, who } = await player("eshe");
    const session = (await (await request.post("/api/login", { data: who })).json()) as { accessToken: string };
    const headers = { authorization: `Bearer ${session.accessToken}` };
    for (const [amount, outcome] of [[50, "success"], [60, "cancelled"], [70, "cancelled"], [80, "cancelled"]] as const) {
      const asked = await request.post("/api/deposits", { headers, data: { phone: who.phone, amount } });
      expect(asked.ok(), await asked.text()).toBe(true);
      await world.decide(who.phone, { outcome });
    }
    type User = { wallet: number; paybill: { number: string; account: string } };
    const user = async () => (await (await request.get("/api/user", { headers })).json()) as User;
    await expect.poll(async () => (await user()).wallet).toBe(50);
    const { paybill } = await user();
    await askForDeposit(page, who.phone, 90);
    const deposit = page.getByRole("dialog", { name: "Deposit to Wallet" });
    await expect(deposit.getByRole("alert")).toContainText("Too many payment requests to this number. Try again in");
    await expect(deposit.getByText(paybill.account, { exact: true })).toBeVisible();
    await deposit.getByRole("button", { name: "Close" }).first().click();
    await askToPay(page, who.phone, 50);
    const dialog = page.getByRole("dialog", { name: "Pay KSh 50" });
    await expect(dialog.getByRole("alert")).toContainText("Too many payment requests to this number.");
    await expect(dialog.getByText("You were not charged.")).toBeVisible();
    for (const way of [paybill.number, paybill.account]) await expect(dialog.getByText(way, { exact: true })).toBeVisible();
    await dialog.getByRole("button", { name: "Use your wallet" }).click();
    await page.getByRole("button", { name: "Join for 50" }).click();
    await expect(page).toHaveURL(/\/leagues\?amount=50$/);
  });

  const { page, who } = await player("daudi");
  await test.step("an amount with a comma is understood, and one with a point has its own words", async () => {
    await askForDeposit(page, who.phone, "10.5");
    const dialog = page.getByRole("dialog", { name: "Deposit to Wallet" });
    await expect(dialog.getByText(WHOLE_SHILLINGS)).toBeVisible();
    await dialog.getByLabel("Amount (KSh)").fill("1,000");
    await dialog.getByRole("button", { name: "Deposit" }).click();
    await world.approve(who.phone, 1_000);
    await expect(balance(page)).toContainText("KSh 1,000");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByRole("button", { name: "Profile" }).click();
    await page.getByRole("button", { name: "Withdraw" }).click();
    const withdrawal = page.getByRole("dialog", { name: "Withdraw Funds" });
    await withdrawal.getByLabel("Amount (KSh)").fill("60.5");
    await withdrawal.getByRole("button", { name: "Withdraw" }).click();
    await expect(withdrawal.getByText(WHOLE_SHILLINGS)).toBeVisible();
    await withdrawal.getByRole("button", { name: "Close" }).first().click();
  });

  await test.step("where the gameweek could not be read, trying again reads it again", async () => {
    await page.route("**/current-gameweek", (route) => route.abort());
    await joinFromWallet(page, 50);
    await expect(page.getByText("Could not determine current gameweek. Try again shortly.")).toBeVisible();
    await expect(page.getByText("Nothing was taken from your wallet.")).toBeVisible();
    await page.unroute("**/current-gameweek");
    await page.getByRole("button", { name: "Join for 50" }).click();
    await expect(page).toHaveURL(/\/leagues\?amount=50$/);
    expect(await world.ledgerSum()).toBe(0);
  });

  await test.step("my entries count one that waits for the draw as no loss", async () => {
    await page.goto("/entries");
    await expect(page.getByText("Waiting for the draw")).toBeVisible();
    await expect(page.getByText("KSh 50 in play is not counted yet.")).toBeVisible();
    await expect(page.locator("p", { hasText: "Profit and loss" })).toHaveText("Profit and lossKSh 0");
  });
});
