/** A win is told once, shared as the player wants, and neither shown nor shared without the operator's leave. */
import { expect, test, type Page } from "@playwright/test";
import { answer, logInAs } from "./answers";

const newsOf = (page: Page) => page.getByRole("dialog", { name: "You won KSh 450" });

test("a winner is told once: of which league, and what to do with the money", async ({ page }) => {
  await answer(page);
  await logInAs(page, "player", true);
  await page.goto("/payment");
  const news = newsOf(page);
  await expect(news).toContainText("Group #2, gameweek 2: rank 1 with 78 points. Well played!");
  await expect(news).toContainText("Keep it there for your next entries, or withdraw it to M-Pesa.");
  await expect(news.getByRole("button", { name: "Play on with it" })).toBeVisible();
  await news.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByRole("dialog", { name: "Withdraw Funds" })).toBeVisible();
  for (const path of ["/payment", "/leagues"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

type Shared = { text: string; files: { name: string; type: string; size: number }[] };

test("a win's picture goes by the phone's own sheet, and names the player only where that is wanted", async ({ page }) => {
  await page.addInitScript(() => {
    const share = ({ text = "", files = [] }: ShareData) => {
      const shared: Shared = { text, files: files.map(({ name, type, size }) => ({ name, type, size })) };
      document.body.dataset.shared = JSON.stringify(shared);
      return Promise.resolve();
    };
    Object.defineProperties(navigator, { canShare: { value: () => true }, share: { value: share } });
  });
  await answer(page);
  await logInAs(page, "player");
  await page.goto("/entries");
  await page.getByRole("button", { name: "Share the win of gameweek 2" }).click();
  const dialog = page.getByRole("dialog", { name: "Share your win" });
  const picture = dialog.getByRole("img", { name: "The picture: I won KSh 450 in gameweek 2: rank 1 with 78 points." });
  await expect(picture).toBeVisible();
  await expect(picture).not.toHaveAccessibleName(/wanjiru/);
  const link = await dialog.getByRole("link", { name: /WhatsApp/ }).getAttribute("href");
  expect(link).toMatch(/^https:\/\/wa\.me\/\?text=I%20won/);
  await dialog.getByLabel("With my username, wanjiru").check();
  await expect(picture).toHaveAccessibleName(/ By wanjiru\.$/);
  await dialog.getByRole("button", { name: "Share the picture" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-shared", /gameweek-2\.png/);
  const shared = JSON.parse(await page.evaluate(() => document.body.dataset.shared ?? "")) as Shared;
  expect(shared.text).toMatch(/^I won KSh 450 in gameweek 2: /);
  expect(shared.files.map(({ name, type }) => [name, type])).toEqual([["gameweek-2.png", "image/png"]]);
  expect(shared.files[0]?.size).toBeGreaterThan(1_000);
});

test("without the operator's leave the first page shows nobody's win, and asks for none", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await answer(page, { promotions: false });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "How you know that it is fair" })).toBeVisible();
  await expect(page.getByRole("region", { name: / paid KSh/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^(The whole league|Read one)/ })).toHaveCount(0);
  expect(asked.filter((address) => address.endsWith("/settlement"))).toEqual([]);
});

test("without it a winner is told all the same, but no win is shared and nobody is led to invite", async ({ page }) => {
  await answer(page, { promotions: false });
  await logInAs(page, "player", true);
  await page.goto("/payment");
  await expect(newsOf(page).getByRole("button", { name: "Play on with it" })).toBeVisible();
  await expect(newsOf(page).getByRole("button", { name: "Make a picture to share" })).toHaveCount(0);
  await newsOf(page).getByRole("button", { name: "Play on with it" }).click();
  await page.getByRole("button", { name: "Profile" }).click();
  await expect(page.getByRole("dialog", { name: "Profile" }).getByText("FPL ID: 4242")).toBeVisible();
  await expect(page.getByRole("link", { name: "Invite friends" })).toHaveCount(0);
  await page.goto("/entries");
  await expect(page.getByText("Won KSh 450")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("button", { name: /^Share/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Invite friends" })).toHaveCount(0);
});
