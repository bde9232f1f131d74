/**
 * A gameweek on phones whose browser is as old as the app allows (`.browserslistrc`), the admin's too, against the
 * whole local stack: what such a browser has not got is taken away before the page's own scripts run.
 */
import { expect, test, type Browser } from "@playwright/test";
import { makeOld, OLD_BROWSERS, type OldBrowser } from "./old-browsers";
import { ADMIN, askToPay, logIn, newPerson, register } from "./steps";
import { World } from "./world";

const AMOUNT = 50;

/** What each has not got that the app, or what it is made of, has asked for before. */
const LACKS: Record<keyof typeof OLD_BROWSERS, string[]> = {
  "Chrome 87": ["Array.prototype.toSorted", "Array.prototype.at", "AbortSignal.timeout", "crypto.randomUUID", "Object.hasOwn"],
  "Safari 14": ["Array.prototype.toSorted", "Array.prototype.at", "AbortSignal.timeout", "crypto.randomUUID", "HTMLDialogElement"],
};

async function oldPhone(browser: Browser, old: OldBrowser, complaints: string[]) {
  const context = await browser.newContext();
  await makeOld(context, old);
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  // What the app catches and says so for. A call that is refused is none of it.
  page.on("console", (line) => {
    if (line.type() === "error" && !line.text().startsWith("Failed to load resource")) complaints.push(line.text());
  });
  return page;
}

for (const [name, old] of Object.entries(OLD_BROWSERS) as [keyof typeof OLD_BROWSERS, OldBrowser][]) {
  test(`a gameweek in ${name}: register, pay, leagues, the draw, the pitch, the panel`, async ({ browser, request }) => {
    const world = new World(request);
    const { isOpen, gameweek, deadline } = await world.gameweek();
    expect(isOpen && gameweek !== null, "no gameweek is open: start the stack anew").toBe(true);
    const who = newPerson("halima");
    const complaints: string[] = [];
    const page = await oldPhone(browser, old, complaints);

    await test.step("the browser is old", async () => {
      await page.goto("/");
      const lacking = await page.evaluate((names) => {
        const at = (path: string) => path.split(".").reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], globalThis);
        return names.filter((path) => at(path) === undefined);
      }, LACKS[name]);
      expect(lacking).toEqual(LACKS[name]);
    });

    await test.step("registers, logs in and pays by a prompt", async () => {
      await register(page, who);
      await logIn(page, who);
      await askToPay(page, who.phone, AMOUNT);
      await expect(page.getByText("Check your phone to complete the payment")).toBeVisible();
      await world.approve(who.phone, AMOUNT);
      await expect(page).toHaveURL(/\/leagues\?amount=50$/);
      await expect(page.getByRole("row", { name: who.username })).toBeVisible();
    });

    await test.step("asks before it logs out", async () => {
      await page.getByRole("button", { name: "Log out" }).click();
      await expect(page.getByText("Are you sure you want to log out?")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    });

    await test.step("finds the league after the deadline, and makes the draw again", async () => {
      await world.morePlayers(8, AMOUNT);
      await world.clockTo(new Date(Date.parse(deadline) + 15 * 60_000));
      await page.goto("/leagues");
      await expect(page.getByRole("region", { name: "(Your Group)" })).not.toContainText("provisional");
      await page.getByRole("link", { name: /^How the draw is made/ }).click();
      await page.getByRole("button", { name: "Check it in this browser" }).first().click();
      await expect(page.getByText("Yes: the draw made these leagues.")).toBeVisible();
    });

    await test.step("on the match day opens a team on the pitch, beside the own one", async () => {
      await world.phase(gameweek ?? 0, "live");
      await page.goto("/leagues");
      const others = page.getByRole("button", { name: new RegExp(`^Team of (?!${who.username}:)`) });
      await others.first().click();
      const team = page.getByRole("dialog");
      const pitch = team.getByRole("group", { name: /^Team of / });
      await expect(pitch.getByRole("button")).toHaveCount(15);
      await pitch.getByRole("button").first().click();
      await team.getByRole("button", { name: "Beside mine" }).click();
      await expect(team.getByText(/ to pass |ahead|level/).first()).toBeVisible();
      await team.getByRole("button", { name: "Close" }).first().click();
      await expect(team).toBeHidden();
    });

    await test.step("the admin ends the gameweek", async () => {
      await world.phase(gameweek ?? 0, "checked");
      const desk = await oldPhone(browser, old, complaints);
      await logIn(desk, ADMIN);
      await expect(desk.getByRole("heading", { level: 1, name: "Admin panel" })).toBeVisible();
      await desk.getByRole("button", { name: "End Gameweek" }).click();
      await desk.getByRole("button", { name: "Pay the winners" }).click();
      await expect(desk.getByText(`Gameweek ${gameweek} is settled`)).toBeVisible();
    });

    await test.step("the player finds what came of it", async () => {
      await page.goto("/entries");
      await expect(page.getByRole("link", { name: /^Group #/ })).toBeVisible();
    });
    expect(complaints).toEqual([]);
  });
}
