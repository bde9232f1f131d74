/** What stands in the place of what is still to come has its shape: nothing moves when it is there. */
import { expect, test } from "@playwright/test";
import { answer, CLOSED, logInAs, type Answers } from "./answers";
import { DRAWN } from "./draw-answers";
import { leagues } from "./league-answers";
import { shifts, watchShifts } from "./shifts";

type Coming = { name: string; path: string; call: RegExp; answers?: Answers; cards: number; shows: string | RegExp };

const COMING: Coming[] = [
  { name: "leagues provisional", path: "/leagues", call: /\/api\/leagues\?/, cards: 2, shows: "Group #2 (Your Group)" },
  { name: "leagues live", path: "/leagues", call: /\/api\/leagues\?/, answers: { status: CLOSED, leagues: leagues("drawn") }, cards: 2, shows: "Group #2 (Your Group)" },
  { name: "settlement", path: "/leagues/2026-03-50-00002/settlement", call: /\/api\/leagues\/.*settlement$/, cards: 2, shows: "Ranking" },
  { name: "draw", path: "/gameweeks/3/draw", call: /\/api\/gameweeks\/3\/draw$/, answers: { leagues: DRAWN }, cards: 2, shows: "Fixed before the draw" },
  { name: "trust", path: "/trust", call: /\/api\/trust$/, cards: 3, shows: "By gameweek" },
];

for (const { name, path, call, answers, cards, shows } of COMING) {
  test(`coming: ${name}`, async ({ page }, info) => {
    await watchShifts(page);
    await answer(page, answers);
    await logInAs(page, "player");
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(call, async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto(path);
    await expect(page.locator("main .amplify-card[aria-hidden]")).toHaveCount(cards);
    // What stands above it has come.
    await page.waitForTimeout(500);
    const before = await shifts(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/coming-${name}-${info.project.name}.png` });
    go();
    await expect(page.getByText(shows).first()).toBeVisible();
    await expect(page.locator(".amplify-card[aria-hidden]")).toHaveCount(0);
    await page.waitForLoadState("networkidle");
    expect((await shifts(page)) - before).toBeLessThan(0.01);
  });
}
