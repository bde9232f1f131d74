/**
 * The oldest browsers that the app allows, over answers of our own: the first pages come without what they lack, and what
 * stands for it is loaded there alone. `old-phones.spec.ts` plays a gameweek in them.
 */
import { expect, test, type Page } from "@playwright/test";
import { answer, CLOSED, logInAs } from "./answers";
import { leagues } from "./league-answers";
import { makeOld, OLD_BROWSERS } from "./old-browsers";

/** Opens the first pages. Answers the files of what stands for dialogs. */
async function firstPages(page: Page): Promise<string[]> {
  const files: string[] = [];
  page.on("request", (request) => {
    if (/\/assets\/dialog-polyfill-[^/]*\.js$/.test(request.url())) files.push(request.url());
  });
  await answer(page, { status: CLOSED, leagues: leagues("drawn") });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "How you know that it is fair" })).toBeVisible();
  await logInAs(page, "player");
  await page.goto("/payment");
  await page.getByRole("button", { name: "Profile" }).click();
  await expect(page.getByText("FPL ID: 4242")).toBeVisible();
  await page.goto("/leagues");
  await expect(page.getByRole("region", { name: "(Your Group)" }).getByText("4 played · 1 playing · 6 left")).toBeVisible();
  return files;
}

for (const [name, old] of Object.entries(OLD_BROWSERS)) {
  test(`the first pages come in ${name}`, async ({ page, context }) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await makeOld(context, old);
    const files = await firstPages(page);
    expect(files.length > 0).toBe(name === "Safari 14");
    expect(complaints).toEqual([]);
  });
}

test("who has dialogs of the browser's own loads none of ours", async ({ page }) => {
  expect(await firstPages(page)).toEqual([]);
});
