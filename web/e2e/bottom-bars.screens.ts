/** The offer to install is seen at once, but where people pay: there it lies over no amount that a tap may be meant for. */
import { expect, test } from "@playwright/test";
import { answer, logInAs } from "./answers";

const ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36";

test("where people pay the offer to install lies over no amount", async ({ page }) => {
  await page.addInitScript((value) => Object.defineProperty(navigator, "userAgent", { value }), ANDROID);
  await answer(page, {}, "player");
  await logInAs(page, "player");
  await page.goto("/payment");
  await page.getByText("Hello, ").waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
  const offer = page.getByRole("complementary", { name: "Install" });
  await expect(offer.getByRole("button", { name: "Install" })).toBeVisible();
  const top = await offer.evaluate((bar) => bar.getBoundingClientRect().top);
  const main = await page.getByRole("main").evaluate((content) => content.getBoundingClientRect().bottom);
  expect(top).toBeGreaterThanOrEqual(main);
  await page.goto("/leagues");
  await page.getByRole("heading", { name: /^Leagues/ }).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
  // On every other page it is seen at once.
  await expect(offer).toBeInViewport({ ratio: 1 });
});
