/** The first page: what it tells beside the log-in form, which moves nothing that is seen, however late it comes. */
import { expect, test } from "@playwright/test";
import { answer, logInAs } from "./answers";
import { shifts, watchShifts } from "./shifts";

test("what comes under the form, late and in parts, moves nothing", async ({ page }) => {
  await watchShifts(page);
  await answer(page);
  const held: (() => void)[] = [];
  const hold = (address: string | RegExp) =>
    page.route(address, async (route) => {
      await new Promise<void>((go) => held.push(go));
      await route.fallback();
    });
  await hold(/\/assets\/Welcome-.*\.js/);
  await hold(/\/api\/gameweeks$/);
  await page.goto("/");
  const login = page.getByRole("button", { name: "Login" });
  const place = () => login.boundingBox();
  await expect(login).toBeVisible();
  const before = await place();
  for (const shows of ["How it works", "How you know that it is fair"]) {
    await expect(page.getByRole("heading", { name: shows })).toHaveCount(0);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.splice(0).forEach((go) => go());
    await expect(page.getByRole("heading", { name: shows })).toBeVisible();
    expect(await place()).toEqual(before);
  }
  expect(await shifts(page)).toBeLessThan(0.01);
});

test("without what comes under it the form is there and works", async ({ page }) => {
  await answer(page);
  await page.route(/\/assets\/Welcome-/, (route) => route.abort());
  await page.goto("/");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Enter your password.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "How it works" })).toHaveCount(0);
});

test("it tells what this is, this gameweek, what was paid, a real league, and why it is fair: under the form, or beside it", async ({ page }) => {
  await answer(page);
  await page.goto("/");
  const part = (name: string) => page.getByRole("region", { name, exact: true });
  await expect(part("How it works").locator("li svg")).toHaveCount(3);
  await expect(part("Gameweek 3")).toContainText("Join until Sat 22 Aug, 13:30");
  await expect(part("Gameweek 3")).toContainText("31 entries so far.");
  const paid = part("Gameweek 2 paid KSh 12,330");
  await expect(paid).toContainText("244 entries were drawn into 25 leagues.");
  await expect(paid.getByRole("listitem").first()).toHaveText("1. wanjiru78 pointsKSh 450");
  await expect(paid.getByRole("link", { name: "The whole league, and how it was paid" })).toHaveAttribute("href", "/leagues/2026-02-50-00001/settlement");
  for (const term of ["The draw", "The result", "The money", "The fee"]) {
    await expect(part("How you know that it is fair").getByText(term, { exact: true })).toBeVisible();
  }
  await expect(part("How you know that it is fair")).toContainText("A league pays 90 % of what it collects. 10 % is our fee.");

  for (const [width, height, isBeside] of [
    [360, 740, false],
    [1280, 800, true],
  ] as const) {
    await page.setViewportSize({ width, height });
    const form = await page.getByRole("main").boundingBox();
    const rest = await page.getByRole("complementary", { name: "About FPL Leagues" }).boundingBox();
    if (!form || !rest) throw new Error("the first page has no form, or nothing with it");
    expect([width, rest.x >= form.x + form.width, rest.y >= form.y + form.height]).toEqual([width, isBeside, !isBeside]);
  }
});

test("figures that cannot be read are left out", async ({ page }) => {
  await answer(page);
  await page.route(/\/api\/(gameweek\/status|gameweeks|settings)$/, (route) => route.abort());
  await page.goto("/");
  const fair = page.getByRole("region", { name: "How you know that it is fair" });
  await expect(fair.getByText("The draw", { exact: true })).toBeVisible();
  await expect(fair.getByText("The fee", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("region", { name: /^Gameweek/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Login" })).toBeEnabled();
});

for (const path of ["/", "/register"]) {
  test(`who is logged in and opens ${path} sees something until the main page has come`, async ({ page }) => {
    await answer(page, {}, "player");
    await logInAs(page, "player");
    let come = () => undefined as void;
    const asked = new Promise<void>((resolve) => (come = resolve));
    await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(path);
    await page.waitForURL("/payment");
    await expect(page.getByRole("status").filter({ hasText: "Loading..." })).toBeVisible();
    come();
    await expect(page.getByText("Hello, ")).toBeVisible();
  });
}
