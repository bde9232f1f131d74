/** What an operator sees first, over answers of our own: what waits and since when, the money as a picture, what the machines say. `desk.spec.ts` works with it. */
import { expect, test } from "@playwright/test";
import { answer, CLOSED, logInAs } from "./answers";

test("the panel opens with what waits and since when, the money, the machines; it reads them again, and its tabs fit a phone", async ({ page }) => {
  await page.clock.install();
  await page.setViewportSize({ width: 360, height: 740 });
  await answer(page, { status: { ...CLOSED, now: "2026-08-24T12:00:00Z" } }, "admin");
  await logInAs(page, "admin");
  await page.goto("/panel");
  const part = (name: string) => page.getByRole("region", { name, exact: true });
  const row = (name: string) => part("What waits for you").getByRole("listitem").filter({ hasText: `${name}: ` });
  for (const [name, waits] of [
    ["Withdrawals", "3the oldest 1 d"],
    ["Typed codes", "2the oldest 1 d"],
    ["Set aside", "2the oldest 3 d"],
    ["Gameweeks to end", "0"],
    ["Leagues", "1the oldest 4 d"],
    ["Cases", "1the oldest 5 d"],
    ["Approvals", "1the oldest 4 d"],
  ] as const) {
    await expect(row(name)).toHaveText(`${name}: ${waits}`);
  }
  const money = part("This gameweek’s money");
  await expect(money).toContainText("KSh 1,750 came in for gameweek 3. The fee is KSh 175");
  for (const name of ["KSh 1,350, of which KSh 135 is the fee", "KSh 400, of which KSh 40 is the fee"]) {
    await expect(money.getByRole("img", { name })).toBeVisible();
  }
  for (const said of [
    "The official game was read 4 d ago.",
    "In the queues: 12 of mails.",
    "Failed for good: 2 of payments, 1 event of a job.",
    "The books were read Fri 21 Aug, 00:12: 1 did not agree.",
    "M-Pesa’s account has changed by ",
  ]) {
    await expect(part("What the machines say")).toContainText(said);
  }

  const tabs = await page.getByRole("navigation", { name: "Parts of the panel" }).getByRole("link").all();
  expect(tabs).toHaveLength(7);
  for (const tab of tabs) {
    const box = await tab.boundingBox();
    expect([await tab.innerText(), box && box.x >= 0 && box.x + box.width <= 360]).toEqual([expect.any(String), true]);
  }

  await page.route("**/api/manual-payment/pending*", (route) => route.fulfill({ json: [] }));
  await page.clock.fastForward(61_000);
  await expect(row("Typed codes")).toHaveText("Typed codes: 0");
});

/** Each with the layout of its own, and what a player has. */
const PAGES: Record<string, string[]> = {
  "what anybody sees": ["/login", "/forgot-password", "/get-fpl-id", "/tutorial", "/gameweek", "/contact", "/terms", "/privacy", "/responsible-play", "/trust", "/gameweeks/3/draw", "/leagues/2026-03-50-00002/settlement", "/nowhere"],
  "what a player has": ["/payment", "/leagues", "/entries", "/transactions", "/withdrawals", "/statement", "/proof", "/notifications", "/account", "/limits", "/team", "/invite", "/cases", "/cases/c1"],
};

for (const [which, paths] of Object.entries(PAGES)) {
  test(`an admin finds the way back to the panel from every page: ${which}`, async ({ page }) => {
    await answer(page, {}, "admin");
    await logInAs(page, "admin");
    const wayBack = page.getByRole("contentinfo").getByRole("link", { name: "Admin panel" });
    for (const path of paths) {
      await page.goto(path, { waitUntil: "commit" });
      await expect(wayBack, path).toBeVisible();
    }
    await wayBack.click();
    await expect(page.getByRole("heading", { level: 1, name: "Admin panel" })).toBeVisible();
  });
}
