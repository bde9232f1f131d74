/**
 * The operator's desk on a phone, against the whole local stack: entries are paused, a payment that does not add
 * up is credited, a player is suspended, all of it is in the records; and the admin logs in with a code.
 */
import { expect, test, type Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { expectAccessible } from "./axe";
import { ADMIN, askForDeposit, balance, joinFromWallet, logIn, newPerson, newPhone, openPart, register } from "./steps";
import { World } from "./world";

/** Gives a dialog its reason and presses its button. */
async function decide(desk: Page, action: string) {
  const dialog = desk.getByRole("dialog");
  await dialog.getByLabel("Reason", { exact: true }).fill("Seen in M-Pesa's portal.");
  await dialog.getByRole("button", { name: action, exact: true }).click();
}

/** What a download holds. */
async function downloaded(desk: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([desk.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("a pause, a payment that does not add up, a suspension, and the records of it", async ({ page, browser, request }) => {
  const world = new World(request);
  const who = newPerson("achieng");
  const desk = await newPhone(browser);
  await register(page, who);
  await logIn(page, who);
  await logIn(desk, ADMIN);

  await test.step("entries are paused: players are told, and they go on again", async () => {
    const switches = desk.getByRole("region", { name: "Switches" });
    await switches.getByRole("button", { name: "Pause entries" }).click();
    await decide(desk, "Pause");
    await expect(switches.getByText("Entries are paused.")).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^Entries are paused just now\./).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "KSh 50", exact: true })).toBeDisabled();
    await switches.getByRole("button", { name: "Resume entries" }).click();
    await decide(desk, "Resume");
    await expect(switches.getByText("Entries go on.")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "KSh 50", exact: true })).toBeEnabled();
  });

  const waits = desk.getByRole("region", { name: "What waits for you" });

  await test.step("the panel opens with what waits, the money and the machines, and goes on refreshing", async () => {
    await desk.clock.install();
    await desk.reload();
    await expect(waits.getByRole("listitem")).toHaveCount(7);
    await expect(waits.getByRole("listitem").filter({ hasText: "…" })).toHaveCount(0);
    await expect(desk.getByRole("region", { name: "This gameweek’s money" })).toContainText(/came in for gameweek \d+\./);
    await expect(desk.getByRole("img", { name: /^KSh [\d,]+, of which KSh [\d,]+ is the fee$/ })).toHaveCount(3);
    const machines = desk.getByRole("region", { name: "What the machines say" });
    await expect(machines.getByText(/^The official game was read .* ago\.$/)).toBeVisible();
    await expect(machines.getByText("Nothing has failed for good.")).toBeVisible();
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("M-Pesa code", { exact: true }).fill(`UHD${String(Date.now()).slice(-7)}`);
    await dialog.getByRole("button", { name: "Submit code" }).click();
    await expect(dialog.getByText("Success wallet updated shortly")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    const codes = waits.getByRole("link", { name: /^Typed codes: / });
    await expect(async () => {
      await desk.clock.fastForward(61_000);
      await expect(codes).toContainText(/: \d+the oldest /, { timeout: 2_000 });
    }).toPass();
    await codes.click();
    await expect(desk.getByRole("region", { name: "Pending Manual Payments" })).toBeInViewport();
  });

  await test.step("M-Pesa reports another amount: it is set aside, and credited with a reason as M-Pesa says when it is asked", async () => {
    await askForDeposit(page, who.phone, 200);
    await world.decide(who.phone, { outcome: "success", amount: 150 });
    const cases = desk.getByRole("region", { name: "Set Aside" });
    const item = cases.getByRole("listitem").filter({ has: desk.getByRole("link", { name: who.username }) });
    await expect(async () => {
      await cases.getByRole("button", { name: "Refresh" }).click();
      await expect(item.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await item.first().getByText("The whole timeline").click();
    await expectAccessible(desk, "the desk");
    await item.first().getByRole("button", { name: "Credit" }).click();
    await expect(desk.getByRole("dialog").getByLabel("Amount (KSh)")).toHaveValue("150");
    await decide(desk, "Credit");
    const asked = desk.getByRole("dialog");
    await expect(asked.getByText("M-Pesa says that this payment is KSh 200.")).toBeVisible();
    await asked.getByLabel("Amount (KSh)").fill("200");
    await decide(desk, "Credit");
    await expect(cases.getByText(`KSh 200 is credited to ${who.username}.`)).toBeVisible();
    await page.goto("/payment");
    await expect(balance(page)).toContainText("KSh 200");
  });

  await test.step("a player is found, suspended, and cannot join", async () => {
    await openPart(desk, "Players");
    await desk.getByLabel("Name, email, FPL ID or phone").fill(who.username);
    await desk.getByRole("button", { name: "Search" }).click();
    await desk.getByRole("link", { name: who.username }).click();
    const account = desk.getByRole("region", { name: who.username });
    await expect(account.getByText("KSh 200")).toBeVisible();
    await expect(desk.getByRole("region", { name: "Money" }).getByText("+KSh 200")).toBeVisible();
    await account.getByRole("button", { name: "Suspend" }).click();
    await decide(desk, "Suspend");
    await expect(account.getByText(`${who.username} is suspended.`)).toBeVisible();
    await expectAccessible(desk, "a profile");
    await joinFromWallet(page, 50);
    await expect(page.getByRole("alert")).toContainText(/suspended/);
    await account.getByRole("button", { name: "End suspension" }).click();
    await decide(desk, "End suspension");
    await expect(account.getByText(`${who.username} is no longer suspended.`)).toBeVisible();
    await expect(account.getByText("Suspended: can withdraw")).toBeHidden();
  });

  await test.step("the books can be opened", async () => {
    await openPart(desk, "Books");
    await expect(desk.getByRole("region", { name: "Accounts" })).toBeVisible();
    await expectAccessible(desk, "the books");
  });

  await test.step("all of it is in the audit log, which is a table too, as are the postings", async () => {
    await openPart(desk, "Records");
    const log = desk.getByRole("region", { name: "Audit log" });
    await expect(log.getByText("Closed what was set aside").first()).toBeVisible();
    await expect(log.getByText("Changed a player's account").first()).toBeVisible();
    await expectAccessible(desk, "the records");
    const acts = await downloaded(desk, () => log.getByRole("button", { name: "Download this month as CSV" }).click());
    expect(acts.name).toMatch(/^audit-\d{4}-\d{2}\.csv$/);
    expect(acts.text).toMatch(/^id,at,by,byName,what,on,before,after,reason,approvedBy\r\n/);
    expect(acts.text).toContain("decide-set-aside");
    const postings = await downloaded(desk, () => desk.getByRole("button", { name: "Download CSV" }).click());
    expect(postings.text).toMatch(/^at,userId,cause,kind,amount,balanceAfter,receipt,legs\r\n/);
    expect(postings.text).toContain(",deposit,200,200,");
    await expect(desk.getByText(/^Saved postings-/)).toBeVisible();
  });
});
