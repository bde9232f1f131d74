/**
 * What stands around a gameweek, in a browser against the whole local stack: a forgotten password, money by a
 * typed code, a prompt that fails, the app without a network, and a team that somebody else has taken.
 */
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { ADMIN, askToPay, balance, logIn, newPerson, newPhone, register } from "./steps";
import { World } from "./world";

test("what is taken is said at its field; whose team it is registers, and proves it", async ({ page, browser, request }) => {
  const world = new World(request);
  const [first, second] = [newPerson("wambui"), newPerson("kamau")];
  await register(await newPhone(browser), first);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const press = page.getByRole("button", { name: "Register", exact: true });

  await test.step("of an email nothing is told, a username and a team say so", async () => {
    await page.goto("/register");
    await field("Email").fill(first.email);
    await field("Username").fill(second.username);
    await field("Password").fill(second.password);
    await field("FPL ID").fill(second.fplId);
    await page.getByLabel("I am 18 or older.").check();
    await press.click();
    await expect(page.getByText(/^These details are already registered\./)).toBeVisible();
    await field("Email").fill(second.email);
    await field("Username").fill(first.username);
    await press.click();
    await expect(field("Username")).toHaveAccessibleDescription(/This username is taken\./);
    await field("Username").fill(second.username);
    await field("FPL ID").fill(first.fplId);
    await press.click();
    await expect(field("FPL ID")).toHaveAccessibleDescription("This FPL ID is linked to another account.");
    await expectAccessible(page, "a taken team");
  });

  await test.step("its owner registers without it, puts the code into its name, and has it", async () => {
    await page.getByRole("button", { name: "Register and prove my team" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await logIn(page, second);
    await page.getByRole("link", { name: "Linked to another account? Prove that it is yours" }).click();
    // The page before has a field of the same name.
    await expect(page.getByRole("heading", { name: "Prove that a team is yours" })).toBeVisible();
    await field("FPL ID").fill(first.fplId);
    await page.getByRole("button", { name: "Get a code" }).click();
    const code = await page.getByRole("listitem").first().locator("b").innerText();
    await world.nameTeam(first.fplId, code);
    await page.getByRole("button", { name: "It is in the name: look now" }).click();
    await expect(page.getByText(`Team ${first.fplId} is yours: you have proved it.`)).toBeVisible();
  });
});

test("a forgotten password leads to a new one (spec sections 2 and 4)", async ({ page, request }) => {
  const world = new World(request);
  const who = newPerson("njeri");
  await register(page, who);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByLabel("Email").fill(who.email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByText("If the email exists, a reset link has been sent.")).toBeVisible();
  await page.goto(new URL(await world.mailedLink(who.email)).pathname);
  await page.getByLabel("New password", { exact: true }).fill("another horse");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByText("Password has been reset successfully.")).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, { ...who, password: "another horse" });
});

test("money by a typed code (spec sections 2 and 4), and the app without a network", async ({ page, context, browser }) => {
  const who = newPerson("mwangi");
  const code = `UHK${String(Date.now()).slice(-7)}`;
  await register(page, who);
  await logIn(page, who);

  await test.step("a code is typed, and the admin confirms it with an amount", async () => {
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("The money comes to your wallet by itself", { exact: false })).toBeVisible();
    await dialog.getByLabel("M-Pesa code", { exact: true }).fill(code);
    await dialog.getByRole("button", { name: "Submit code" }).click();
    await expect(dialog.getByText("Success wallet updated shortly")).toBeVisible();

    const desk = await newPhone(browser);
    await logIn(desk, ADMIN);
    const item = desk.getByRole("region", { name: "Pending Manual Payments" }).getByRole("listitem").filter({ hasText: code });
    await item.getByRole("button", { name: "Confirm" }).click();
    await desk.getByRole("dialog").getByLabel("Amount (KSh)").fill("250");
    await desk.getByRole("button", { name: "Credit the wallet" }).click();
    await expect(desk.getByText(`KSh 250 is credited to ${who.username} for ${code}.`)).toBeVisible();
    await expect(item).toBeHidden();
  });

  await test.step("it is in the wallet, and in the transactions with its receipt", async () => {
    await page.goto("/payment");
    await expect(balance(page)).toContainText("KSh 250");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Transactions" }).click();
    await expect(page.getByText(`Receipt ${code}`)).toBeVisible();
  });

  await test.step("without a network the app opens, says so, and recovers; nothing of anybody is kept", async () => {
    await page.goto("/payment");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText("You are offline.")).toBeVisible();
    await expect(balance(page)).toContainText("KSh 250");
    await page.goto("/leagues");
    await expect(page.getByRole("heading", { name: "Leagues - 50 Shs" })).toBeVisible();
    const kept = await page.evaluate(async () => {
      const caught = (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url));
      return (await Promise.all(caught)).flat().map((address) => new URL(address).pathname);
    });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((path) => !/^\/(index\.html|assets\/)/.test(path))).toEqual([]);
    await context.setOffline(false);
    await expect(page.getByText("You are offline.")).toBeHidden();
    await page.goto("/payment");
    await expect(page.getByText("left to join")).toBeVisible();
  });
});

test("a prompt that is cancelled, one that is paid twice over, and logging out (spec section 4)", async ({ page, request }) => {
  const world = new World(request);
  const who = newPerson("achieng");
  await register(page, who);
  await logIn(page, who);

  await test.step("cancelled: said in the dialog, and the same can be tried again at once", async () => {
    await askToPay(page, who.phone, 50);
    await world.decide(who.phone, { outcome: "cancelled" });
    const dialog = page.getByRole("dialog", { name: "Pay KSh 50" });
    await expect(dialog.getByRole("alert")).toContainText("Payment failed. Please try again.");
    await dialog.getByRole("button", { name: "Pay Now" }).click();
    await world.decide(who.phone, { outcome: "cancelled" });
    await expect(dialog.getByRole("alert")).toContainText("Payment failed. Please try again.");
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await test.step("another amount, confirmed twice: one entry, and the wallet is as it was", async () => {
    await askToPay(page, who.phone, 100);
    await world.decide(who.phone, { outcome: "success", callback: "duplicate" });
    await expect(page).toHaveURL(/\/leagues\?amount=100$/);
    await expect(page.getByText("You are in: KSh 100 is paid.")).toBeVisible();
    await expect(page.getByRole("row", { name: who.username })).toHaveCount(1);
    await page.goto("/payment");
    await expect(balance(page)).toContainText("KSh 0");
    expect(await world.ledgerSum()).toBe(0);
  });

  await test.step("a second entry is refused before anything is pushed", async () => {
    await expect(page.getByText("You already joined this gameweek. Your entry: KSh 100.")).toBeVisible();
    for (const name of ["KSh 250", "Checkout from Wallet"]) await expect(page.getByRole("button", { name, exact: true })).toBeDisabled();
  });

  await test.step("logging out asks, forgets everything on this device, and ends the session", async () => {
    await page.getByRole("button", { name: "Profile" }).click();
    await page.getByRole("button", { name: "Log Out" }).click();
    await expect(page.getByText("Are you sure you want to log out?")).toBeVisible();
    await page.getByRole("button", { name: "Yes, log out" }).click();
    await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    await page.goto("/transactions");
    await expect(page).toHaveURL(/\/login$/);
  });
});
