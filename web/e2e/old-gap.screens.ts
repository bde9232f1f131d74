/**
 * Where flex items know no `gap` (Safari 14.0): what stood apart stands apart. Chromium knows it, so it is taken away
 * here, and what the style sheets have in its place is let in.
 */
import { expect, test, type Page } from "@playwright/test";
import { answer, CLOSED, logInAs, type Answers } from "./answers";
import { leagues } from "./league-answers";
import { ON_THE_PITCH } from "./pitch-screens";

type Screen = { name: string; path: string; as?: "player" | "admin"; answers?: Answers; act?: (page: Page) => Promise<unknown>; shows: string | RegExp };

const SCREENS: Screen[] = [
  { name: "first page", path: "/", shows: "Gameweek 2 paid KSh 12,330" },
  { name: "register", path: "/register", act: (page) => page.getByRole("button", { name: "Register" }).click(), shows: "FPL ID must be a numeric value." },
  { name: "payment", path: "/payment", as: "player", shows: "KSh 1,250" },
  { name: "profile", path: "/payment", as: "player", act: (page) => page.getByRole("button", { name: "Profile" }).click(), shows: "FPL ID: 4242" },
  { name: "leagues live", path: "/leagues", as: "player", answers: { status: CLOSED, leagues: leagues("drawn") }, shows: "Pays KSh 450 (10 players)" },
  ...ON_THE_PITCH,
  { name: "settlement", path: "/leagues/2026-03-50-00002/settlement", shows: /82 points − 4 for transfers = 78/ },
  { name: "entries", path: "/entries", as: "player", answers: { joined: true }, shows: "Won KSh 450" },
  { name: "transactions", path: "/transactions", as: "player", shows: "Receipt TGL7RT61SV" },
  { name: "trust", path: "/trust", shows: "KSh 412,350" },
  { name: "limits", path: "/limits", as: "player", answers: { limited: true }, shows: "Confirm the higher limit" },
  { name: "panel", path: "/panel", as: "admin", answers: { status: CLOSED }, shows: "Withdrawal Requests" },
];

for (const { name, path, as, answers, act, shows } of SCREENS) {
  test(`without gap: ${name}`, async ({ page }, info) => {
    await answer(page, answers, as);
    if (as) await logInAs(page, as);
    await page.goto(path);
    await act?.(page);
    await expect(page.getByText(shows).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(whatStandsCloser, "gap")).not.toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/gap-${name}-${info.project.name}.png` });
    // A button's margins come over some milliseconds.
    await expect.poll(() => page.evaluate(whatStandsCloser, "gap and margins"), { timeout: 5_000 }).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/gap-${name}-${info.project.name}-with.png` });
  });
}

/** Takes the gap away, the first time without what stands for it. Answers what stands closer than it did. Runs in the page. */
function whatStandsCloser(without: string): string[] {
  const kept = window as unknown as { pairs?: [HTMLElement, HTMLElement, boolean, number][] };
  const distance = (one: Element, next: Element, isColumn: boolean) => {
    const [a, b] = [one.getBoundingClientRect(), next.getBoundingClientRect()];
    return isColumn ? b.top - a.bottom : b.left - a.right;
  };
  const onOneLine = (one: Element, next: Element) => next.getBoundingClientRect().left >= one.getBoundingClientRect().right - 1;
  if (!kept.pairs) {
    kept.pairs = [];
    for (const flex of document.querySelectorAll<HTMLElement>("*")) {
      const { display, flexDirection, rowGap, columnGap } = getComputedStyle(flex);
      const isColumn = flexDirection === "column";
      if (!display.endsWith("flex") || !(parseFloat(isColumn ? rowGap : columnGap) > 0)) continue;
      const children = [...flex.children].filter((child) => child instanceof HTMLElement && child.offsetWidth > 1 && getComputedStyle(child).position !== "absolute") as HTMLElement[];
      children.slice(1).forEach((next, i) => {
        const one = children[i]!;
        if (isColumn || onOneLine(one, next)) kept.pairs!.push([one, next, isColumn, Math.min(distance(one, next, isColumn), parseFloat(isColumn ? rowGap : columnGap))]);
      });
      flex.style.gap = "0";
    }
  } else {
    const letIn = (rules: CSSGroupingRule | CSSStyleSheet) => {
      for (let at = rules.cssRules.length - 1; at >= 0; at -= 1) {
        const rule = rules.cssRules[at];
        if (rule instanceof CSSSupportsRule && rule.conditionText.startsWith("not (inset")) {
          const inside = [...rule.cssRules].map(({ cssText }) => cssText);
          rules.deleteRule(at);
          inside.reverse().forEach((text) => rules.insertRule(text, at));
        } else if (rule instanceof CSSMediaRule) letIn(rule);
      }
    };
    [...document.styleSheets].forEach(letIn);
  }
  return kept.pairs
    .filter(([one, next, isColumn, was]) => (isColumn || onOneLine(one, next) || without === "gap") && distance(one, next, isColumn) < was - 1)
    .map(([one, next, isColumn, was]) => `${one.parentElement!.className}: ${(one.textContent ?? "").slice(0, 20)} | ${(next.textContent ?? "").slice(0, 20)}: ${distance(one, next, isColumn)} of ${was}`);
}
