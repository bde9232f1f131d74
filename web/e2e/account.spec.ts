/**
 * What stands around a gameweek, in a browser against the whole local stack: a referral link, a forgotten
 * password, money by a typed code, and the app without a network.
 */
import { expect, test } from "@playwright/test";
import { ADMIN, balance, logIn, newPerson, newPhone, register } from "./steps";
import { World } from "./world";

test("a referral link leads to registration, and a forgotten password to a new one", async ({ page, browser, request }) => {
  const world = new World(request);
  const who = newPerson("njeri");
  let link = "";

  await test.step("the admin makes a link", async () => {
    const desk = await newPhone(browser);
    await logIn(desk, ADMIN);
    const section = desk.getByRole("region", { name: "Influencer Links" });
    await section.getByLabel("Name").fill(who.username);
    await section.getByRole("button", { name: "Create link" }).click();
    link = await section.getByRole("status").locator("b").innerText();
    expect(link).toMatch(/\/ref\/[a-z0-9]+$/);
  });

  await test.step("who follows it registers", async () => {
    await page.goto(new URL(link).pathname);
    await expect(page).toHaveURL(/\/register\?ref=[a-z0-9]+$/);
    await register(page, who, page.url());
  });

  await test.step("asks for a link by mail, sets a new password, and logs in with it", async () => {
    await page.getByRole("link", { name: "Forgot password?" }).click();
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
});

test("money by a typed code, and the app without a network", async ({ page, context, browser }) => {
  const who = newPerson("mwangi");
  const code = `UHK${String(Date.now()).slice(-7)}`;
  await register(page, who);
  await logIn(page, who);

  await test.step("a code is typed, and the admin confirms it with an amount", async () => {
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Business number")).toBeVisible();
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
    const kept = await page.evaluate(async () => {
      const caught = (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url));
      return (await Promise.all(caught)).flat().map((address) => new URL(address).pathname);
    });
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((path) => !/^\/(index\.html|assets\/)/.test(path))).toEqual([]);
    await context.setOffline(false);
    await expect(page.getByText("You are offline.")).toBeHidden();
    await expect(page.getByText("left to join")).toBeVisible();
  });
});
