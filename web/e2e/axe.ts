/** What axe finds on a screen, light and dark: nothing, or the test fails. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

export const SCHEMES = ["light", "dark"] as const;
const TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];

/** Shows the page in one scheme; what comes in, or changes its colours, has done so. */
export async function show(page: Page, colorScheme: (typeof SCHEMES)[number]) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map((a) => a.finished));
  });
}

/**
 * Of a screen in light everything is looked at; dark differs in its colours alone. There are no frames, so axe needs no
 * page of its own to add up what it found.
 */
export async function expectNoFindings(page: Page, scheme: (typeof SCHEMES)[number], what: string = scheme) {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (scheme === "light" ? axe.withTags(TAGS) : axe.withRules("color-contrast")).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join("; ")}`), what).toEqual([]);
}

/** A screen that has come: no findings in either scheme, and nothing scrolls sideways. */
export async function expectAccessible(page: Page, what: string) {
  await page.waitForLoadState("networkidle");
  for (const scheme of SCHEMES) {
    await show(page, scheme);
    await expectNoFindings(page, scheme, `${what}, ${scheme}`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide, `${what} scrolls sideways`).toBe(false);
}
