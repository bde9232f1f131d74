/** Larger text and a small phone (WCAG 1.4.4, 1.4.10), in both languages: nothing scrolls sideways, and what stands in a box stays in it. */
import { expect, test, type Page } from "@playwright/test";
import { answer, CLOSED, logInAs, PROMPTS, withdrawal, type Answers } from "./answers";
import { inKiswahili, said, saidPart } from "./in-language";
import { leagues } from "./league-answers";
import { DRAWN } from "./draw-answers";
import { OF_THE_PHONE } from "./phone-screens";
import { ON_THE_PITCH } from "./pitch-screens";

/** Sizes in CSS pixels, and the text's in percent of the browser's own. */
const ROOMS = [
  { width: 320, height: 640, text: 100 },
  { width: 320, height: 640, text: 200 },
  { width: 360, height: 740, text: 100 },
  { width: 360, height: 740, text: 130 },
  { width: 360, height: 740, text: 150 },
  { width: 360, height: 740, text: 200 },
];

type Screen = {
  name: string;
  path: string;
  as?: "player" | "admin";
  answers?: Answers;
  news?: boolean;
  /** What the browser says it runs on. */
  phone?: string;
  act?: (page: Page) => Promise<unknown>;
  shows: string | RegExp;
};

const click = (...names: string[]) => async (page: Page) => {
  for (const name of names) await page.getByRole("button", { name: said(name), exact: true }).click();
};

/** As wide as a name can be. */
const WIDE = "WWWWWWWWWWWW";
const wide = (state: string) =>
  (leagues(state) as { users: object[] }[]).map((league) => ({
    ...league,
    users: league.users.map((user, i) => (i === 1 ? { ...user, username: WIDE } : user)),
  }));

const SCREENS: Screen[] = [
  { name: "login", path: "/login", act: click("Login"), shows: "Enter your password." },
  { name: "first page", path: "/", shows: "Gameweek 2 paid KSh 12,330" },
  { name: "register", path: "/register", act: click("Register"), shows: "FPL ID must be a numeric value." },
  { name: "guest", path: "/payment", shows: "Want to Join a League?" },
  { name: "payment", path: "/payment", as: "player", answers: { prompts: PROMPTS }, shows: "KSh 2,250" },
  { name: "payment closed", path: "/payment", as: "player", answers: { status: CLOSED }, shows: /Deadline was/ },
  { name: "select amount", path: "/checkout-wallet", as: "player", shows: /KSh 450 if the league fills/ },
  { name: "phone", path: "/payment", as: "player", act: click("KSh 50"), shows: "Pay KSh 50" },
  { name: "profile", path: "/payment", as: "player", act: click("Profile"), shows: "FPL ID: 4242" },
  { name: "top up", path: "/payment", as: "player", act: click("Top up"), shows: "174379" },
  { name: "log out", path: "/leagues", as: "player", act: click("Log out"), shows: "Are you sure you want to log out?" },
  { name: "menu", path: "/leagues", as: "player", act: click("Menu"), shows: "Main page" },
  { name: "leagues provisional", path: "/leagues", as: "player", answers: { leagues: wide("provisional") }, shows: "Group #2 (Your Group)" },
  { name: "leagues before the draw", path: "/leagues", as: "player", answers: { status: CLOSED }, shows: /the draw comes next/ },
  { name: "leagues live", path: "/leagues", as: "player", answers: { status: CLOSED, leagues: wide("drawn") }, shows: "Pays KSh 450 (10 players)" },
  { name: "leagues settled", path: "/leagues", as: "player", answers: { status: CLOSED, leagues: wide("settled") }, shows: "won KSh 450" },
  { name: "leagues none", path: "/leagues", as: "player", answers: { status: CLOSED, leagues: [] }, shows: "No leagues for 50 Shs." },
  ...ON_THE_PITCH,
  ...OF_THE_PHONE,
  { name: "settlement", path: "/leagues/2026-03-50-00002/settlement", shows: /82 points − 4 for transfers = 78/ },
  { name: "statement", path: "/statement", as: "player", shows: "In the wallet at the end" },
  { name: "transactions", path: "/transactions", as: "player", shows: "Receipt TGL7RT61SV" },
  { name: "trust", path: "/trust", shows: "KSh 412,350" },
  { name: "proof", path: "/proof", as: "player", shows: /^Yes: your money is in the sum/ },
  { name: "entries", path: "/entries", as: "player", answers: { joined: true }, shows: "Won KSh 450" },
  { name: "win", path: "/payment", as: "player", news: true, shows: "You won KSh 450" },
  { name: "win to share", path: "/entries", as: "player", act: click("Share the win of gameweek 2"), shows: "Save the picture" },
  {
    name: "withdrawals",
    path: "/withdrawals",
    as: "player",
    answers: { withdrawals: [withdrawal("1", "wanjiru", 450), withdrawal("2", "wanjiru", 2250, "rejected")] },
    shows: "Waiting to be sent",
  },
  { name: "account", path: "/account", as: "player", act: click("Show my data"), shows: "Save as a file" },
  { name: "account to close", path: "/account", as: "player", act: click("Close my account..."), shows: /^This cannot be undone by anybody/ },
  { name: "limits", path: "/limits", as: "player", answers: { limited: true }, shows: "Confirm the higher limit" },
  { name: "notifications", path: "/notifications", as: "player", shows: "Mails about prizes, refunds, withdrawals, corrections and security are always sent." },
  { name: "transactions none", path: "/transactions", as: "player", answers: { others: { "GET /api/me/transactions": [] } }, shows: "No money has moved yet." },
  { name: "contact", path: "/contact", shows: "WhatsApp" },
  { name: "cases", path: "/cases?kind=withdrawal&id=w1", as: "player", act: click("Send"), shows: "Write what is wrong." },
  { name: "case", path: "/cases/c1", as: "player", shows: "We have answered" },
  { name: "invite", path: "/invite", as: "player", shows: "Send it by WhatsApp" },
  { name: "team", path: "/team", as: "player", shows: "BCDF2345" },
  { name: "forgot password", path: "/forgot-password", shows: "Send Reset Link" },
  { name: "reset password", path: "/reset-password/abc", shows: "Reset Password" },
  { name: "cancel withdrawal", path: "/cancel-withdrawal/abc", shows: "Cancel this withdrawal" },
  { name: "tutorial", path: "/tutorial", shows: "The same in three pictures" },
  { name: "privacy", path: "/privacy", shows: "What we keep" },
  { name: "responsible play", path: "/responsible-play", shows: "Keep it a game" },
  { name: "not found", path: "/nowhere", shows: "There is no such page" },
  { name: "withdraw", path: "/payment", as: "player", act: click("Profile", "Withdraw"), shows: "Amount (KSh)" },
  { name: "draw", path: "/gameweeks/3/draw", as: "player", answers: { leagues: DRAWN }, shows: /13 players in 2 leagues/ },
  { name: "news", path: "/gameweek", shows: "Gameweek News" },
  { name: "get the team id", path: "/get-fpl-id", shows: "Open the Points tab." },
  { name: "terms", path: "/terms", shows: "Who may play" },
  { name: "panel", path: "/panel", as: "admin", answers: { status: CLOSED }, shows: "Withdrawal Requests" },
  {
    name: "panel influencer",
    path: "/panel",
    as: "admin",
    act: async (page) => {
      await page.getByLabel("Name", { exact: true }).fill("Mwalimu FPL");
      await click("Create link")(page);
    },
    shows: /The link of Mwalimu FPL/,
  },
  { name: "panel players", path: "/panel/players?q=oti", as: "admin", shows: "otis_k" },
  { name: "panel player", path: "/panel/players/u7", as: "admin", shows: "Acts of admins" },
  { name: "panel case", path: "/panel/cases/c1", as: "admin", act: click("Close it"), shows: "Give the reason." },
  { name: "panel approvals", path: "/panel/approvals", as: "admin", shows: /^Refused by second-admin/ },
  { name: "panel approve", path: "/panel/approvals", as: "admin", act: click("Approve"), shows: /It is done at once, and not taken back/ },
  { name: "panel books", path: "/panel/books", as: "admin", shows: "Last reading" },
  { name: "panel records", path: "/panel/records", as: "admin", shows: "Closed a withdrawal" },
  { name: "panel log-in", path: "/panel/security", as: "admin", act: click("Set up"), shows: "Code" },
];

for (const { name, path, as, answers, news, phone, act, shows } of SCREENS) {
  test(`room: ${name}`, async ({ page }, info) => {
    test.skip(inKiswahili() && as === "admin", "the panel is English");
    await answer(page, answers, as);
    if (as) await logInAs(page, as, news);
    if (phone) await page.addInitScript((value) => Object.defineProperty(navigator, "userAgent", { value }), phone);
    await page.goto(path);
    await act?.(page);
    const shown = typeof shows === "string" ? said(shows) : saidPart(shows);
    if (shown !== null) await expect(page.getByText(shown).first()).toBeVisible();
    await page.waitForLoadState("networkidle");

    for (const room of ROOMS) {
      const { text, ...size } = room;
      await page.setViewportSize(size);
      await page.evaluate((percent) => document.documentElement.style.setProperty("font-size", `${percent}%`), text);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${info.project.name}-${name}-${size.width}-${text}.png`, fullPage: true });
      // What is loaded late (a part's own style) has its time.
      const complained = () => page.evaluate(complaints);
      await expect.poll(complained, { message: `${size.width} px, text ${text} %`, timeout: 5_000 }).toEqual([]);
    }
  });
}

test("room: a sheet that is higher than the screen opens at its top", async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await answer(page);
  await logInAs(page, "player");
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto("/payment");
    await click("Top up")(page);
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByRole("heading")).toBeInViewport();
    expect(await sheet.evaluate((it) => [it.scrollTop, it.scrollHeight > it.clientHeight])).toEqual([0, true]);
    // It can be scrolled, and what the focus goes to is shown.
    await sheet.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
    const other = sheet.getByRole("button", { name: said("Not paid yet? Get a prompt on your phone") });
    await other.focus();
    await expect(other).toBeInViewport();
  }
});

/** What does not fit, as somebody would say it. Runs in the page. */
function complaints(): string[] {
  const said: string[] = [];
  const root = document.documentElement;
  const words = (element: Element) => (element.textContent ?? "").trim().slice(0, 40);
  if (root.scrollWidth > root.clientWidth) said.push(`the page is ${root.scrollWidth} px wide`);

  const overflows = (element: Element) => {
    const { overflowX, display } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const isSeen = width > 1 && height > 1 && display !== "inline" && element.checkVisibility({ visibilityProperty: true });
    const mayNot = overflowX === "visible" || element instanceof HTMLDialogElement;
    return isSeen && mayNot && words(element) !== "" && element instanceof HTMLElement && element.scrollWidth > element.clientWidth + 1;
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (!overflows(element) || [...element.children].some(overflows)) continue;
    said.push(`${element.tagName.toLowerCase()}.${element.className} is broader than its room: ${words(element)}`);
  }
  // What is said at the bottom of the screen, above the end of the page once that is scrolled to.
  const foot = document.querySelector("footer");
  const bar = document.querySelector("#root > aside");
  if (foot && bar) {
    window.scrollTo(0, root.scrollHeight);
    if (foot.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1) said.push("the bar lies over the end of the page");
    window.scrollTo(0, 0);
  }
  // Figures, heads and buttons: no word of theirs stands on two lines.
  for (const element of document.body.querySelectorAll("button, [role=tab], nav a, th, td:not(:has(a)), .money, h1, h2")) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const word of (text.textContent ?? "").matchAll(/[^\s-]+-?/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (lines.size > 1) said.push(`"${word[0]}" is broken`);
      }
    }
  }
  return said;
}
