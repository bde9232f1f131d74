/** The first page: what comes under the log-in form moves nothing that is seen, however late it comes. */
import { expect, test } from "@playwright/test";
import { answer } from "./answers";
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
