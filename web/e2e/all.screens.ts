import { expect, test, type Page } from "@playwright/test";
import { expectNoFindings, SCHEMES, show } from "./axe";
import { OF_THE_ACCOUNT } from "./account-screens";
import { answer, CLOSED, LATE, logInAs, PAUSED, PROMPTS, withdrawal } from "./answers";
import { click, OF_THE_OWNER, type Screen } from "./owner-screens";
import { inKiswahili, said, saidPart } from "./in-language";
import { leagues } from "./league-answers";
import { ON_THE_PITCH } from "./pitch-screens";
import { OF_THE_PHONE } from "./phone-screens";
import { DRAWN, UNDRAWN } from "./draw-answers";
import { OF_PROMOTIONS } from "./promotion-screens";
import { OF_THE_STANDING } from "./standing-screens";

const openHelp = async (page: Page) => {
  for (const question of await page.locator("summary").all()) await question.click();
};
const ANOTHERS = "This number belongs to another player. Use your own, or pay to the paybill with your account.";

const all =
  (...acts: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };
const fill = (label: string, value: string) => (page: Page) => page.getByLabel(said(label), { exact: true }).fill(value);

/** The first of several buttons of this name. */
const first = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
const inPart = (part: string, name: string) => (page: Page) =>
  page.getByRole("region", { name: part }).getByRole("button", { name, exact: true }).first().click();

const inDialog = (name: string) => (page: Page) => page.getByRole("dialog").getByRole("button", { name: said(name), exact: true }).click();

const SCREENS: Screen[] = [
  ...OF_THE_OWNER,
  ...OF_PROMOTIONS,
  ...OF_THE_ACCOUNT,
  ...ON_THE_PITCH,
  ...OF_THE_PHONE,
  ...OF_THE_STANDING,
  { name: "no-code", path: "/payment", lost: "**/assets/app-*.js", shows: "FPL Leagues could not be loaded." },
  { name: "no-style", path: "/payment", lost: "**/assets/app-*.css", shows: "FPL Leagues could not be loaded." },
  { name: "login", path: "/login", shows: "Enter as Guest" },
  { name: "login-errors", path: "/login", act: click("Login"), shows: "Enter your password." },
  { name: "register", path: "/register", shows: "Create Fpl Leagues Account" },
  { name: "register-errors", path: "/register", act: click("Register"), shows: "FPL ID must be a numeric value." },
  { name: "get-fpl-id", path: "/get-fpl-id", shows: "Open the Points tab." },
  { name: "tutorial", path: "/tutorial", shows: "The same in three pictures" },
  { name: "forgot-password", path: "/forgot-password", shows: "Send Reset Link" },
  {
    name: "forgot-password-sent",
    path: "/forgot-password",
    act: all(fill("Email", "wanjiru@example.com"), click("Send Reset Link")),
    shows: "If the email exists, a reset link has been sent.",
  },
  {
    name: "reset-password",
    path: "/reset-password/abc",
    act: all(fill("New password", "secret7"), click("Reset Password")),
    shows: /Password has been reset successfully\./,
  },
  {
    name: "reset-password-no-token",
    path: "/reset-password",
    act: all(fill("New password", "secret7"), click("Reset Password")),
    shows: "Invalid or expired token.",
  },
  { name: "gameweek-news", path: "/gameweek", shows: "Gameweek News" },
  { name: "contact", path: "/contact", act: openHelp, shows: "WhatsApp" },
  { name: "terms", path: "/terms", shows: "Who may play" },
  { name: "privacy", path: "/privacy", shows: "What we keep" },
  { name: "responsible-play", path: "/responsible-play", shows: "Keep it a game" },
  { name: "not-found", path: "/nowhere", shows: "There is no such page" },
  { name: "guest", path: "/payment", shows: "Want to Join a League?" },
  { name: "payment", path: "/payment", as: "player", shows: "KSh 2,250" },
  { name: "payment-closed", path: "/payment", as: "player", answers: { status: CLOSED }, shows: /^The next gameweek opens when this one is settled, or else on/ },
  { name: "payment-paused", path: "/payment", as: "player", answers: { status: PAUSED }, shows: /^Entries are paused/ },
  { name: "payment-late", path: "/payment", as: "player", answers: { status: LATE }, shows: "Use your wallet" },
  { name: "payment-returned", path: "/payment", as: "player", answers: { prompts: PROMPTS }, shows: /paid for your entry/ },
  { name: "payment-new-season", path: "/payment", as: "player", answers: { needsTeam: true }, shows: "Link my team" },
  { name: "payment-owes", path: "/payment", as: "player", answers: { wallet: 0, owed: 250 }, shows: /^You owe KSh 250/ },
  { name: "select-amount", path: "/checkout-wallet", as: "player", shows: /KSh 450 if the league fills/ },
  {
    name: "short-of-money",
    path: "/checkout-wallet",
    as: "player",
    answers: { wallet: 20 },
    act: click("Join for 50"),
    shows: "Insufficient wallet balance for KSh 50. Please top up.",
  },
  { name: "payment-joined", path: "/payment", as: "player", answers: { joined: true }, shows: "You already joined this gameweek. Your entry: KSh 50." },
  { name: "phone", path: "/payment", as: "player", act: click("KSh 50"), shows: "Pay KSh 50" },
  {
    name: "phone-refused",
    path: "/payment",
    as: "player",
    answers: { refused: { "POST /api/pay": "You already joined this gameweek." } },
    act: all(click("KSh 50"), fill("Phone number", "0712345678"), click("Pay Now")),
    shows: "You were not charged.",
  },
  {
    name: "phone-of-another",
    path: "/payment",
    as: "player",
    answers: { refused: { "POST /api/pay": ANOTHERS } },
    act: all(click("KSh 50"), fill("Phone number", "0712345678"), click("Pay Now")),
    shows: ANOTHERS,
  },
  {
    name: "processing",
    path: "/payment",
    as: "player",
    act: all(click("KSh 50"), fill("Phone number", "0712345678"), click("Pay Now")),
    shows: "Check your phone to complete the payment",
  },
  { name: "deposit", path: "/payment", as: "player", act: all(click("Profile"), click("Top Up Wallet")), shows: "Deposit to Wallet" },
  {
    name: "deposit-sent",
    path: "/payment",
    as: "player",
    act: all(click("Profile"), click("Top Up Wallet"), fill("Phone number", "0712345678"), fill("Amount (KSh)", "200"), click("Deposit")),
    shows: /Enter your M-Pesa PIN/,
  },
  { name: "top-up", path: "/payment", as: "player", act: click("Top up"), shows: "174379" },
  {
    name: "top-up-done",
    path: "/payment",
    as: "player",
    act: all(click("Top up"), fill("M-Pesa code", "NLJ7RT61SV"), click("Submit code")),
    shows: "Success wallet updated shortly",
  },
  {
    name: "top-up-refused",
    path: "/payment",
    as: "player",
    answers: { refused: { "POST /api/manual-payment": "This code has been credited already." } },
    act: all(click("Top up"), fill("M-Pesa code", "NLJ7RT61SV"), click("Submit code")),
    shows: "This code has been credited already.",
  },
  { name: "profile", path: "/payment", as: "player", act: click("Profile"), shows: "FPL ID: 4242" },
  {
    name: "withdraw-errors",
    path: "/payment",
    as: "player",
    act: all(click("Profile"), click("Withdraw"), fill("Amount (KSh)", "59"), click("Withdraw")),
    shows: "Minimum withdrawal amount is KES 60.",
  },
  {
    name: "withdraw-done",
    path: "/payment",
    as: "player",
    act: all(
      click("Profile"),
      click("Withdraw"),
      fill("M-Pesa number", "0712345678"),
      fill("Amount (KSh)", "60"),
      click("Withdraw"),
    ),
    shows: "Withdrawal request submitted successfully!",
  },
  {
    name: "log-out",
    path: "/payment",
    as: "player",
    act: all(click("Profile"), click("Log Out")),
    shows: "Are you sure you want to log out?",
  },
  { name: "entries", path: "/entries", as: "player", answers: { joined: true }, shows: "Won KSh 450" },
  { name: "entries-line", path: "/entries", as: "player", answers: { joined: true }, act: (page) => page.getByText(said("Your line in the draw")).click(), shows: /^0198c6f8/ },
  {
    name: "withdrawals",
    path: "/withdrawals",
    as: "player",
    answers: {
      withdrawals: [
        { ...withdrawal("1", "wanjiru", 450), waitsUntil: "2026-08-24T07:40:00Z" },
        withdrawal("2", "wanjiru", 60, "done"),
        { ...withdrawal("3", "wanjiru", 2250, "rejected"), reason: "This number is not registered with M-Pesa." },
      ],
    },
    shows: "Waiting to be sent",
  },
  { name: "guests-menu", path: "/leagues", act: click("Menu"), shows: "Create an account" },
  { name: "leagues-menu", path: "/leagues", as: "player", act: click("Menu"), shows: "Main page" },
  { name: "leagues-provisional", path: "/leagues", as: "player", shows: "Group #2 (Your Group)" },
  {
    name: "leagues-live",
    path: "/leagues",
    as: "player",
    answers: { status: CLOSED, leagues: leagues("drawn") },
    shows: "live",
  },
  { name: "entries-none", path: "/entries", as: "player", answers: { others: { "GET /api/me/entries": { entries: [], profitAndLoss: 0 } } }, shows: "You have not joined a league yet." },
  { name: "transactions-none", path: "/transactions", as: "player", answers: { others: { "GET /api/me/transactions": [] } }, shows: "No money has moved yet." },
  { name: "withdrawals-none", path: "/withdrawals", as: "player", answers: { withdrawals: [] }, shows: "You have not withdrawn anything yet." },
  { name: "leagues-none", path: "/leagues", as: "player", answers: { leagues: [] }, shows: /No leagues for 50 Shs/ },
  {
    name: "draw",
    path: "/gameweeks/3/draw",
    as: "player",
    answers: { leagues: DRAWN },
    act: click("Check it in this browser"),
    shows: "Yes: the draw made these leagues.",
  },
  { name: "draw-before", path: "/gameweeks/3/draw", answers: { draw: UNDRAWN }, shows: /^Not drawn yet/ },
  { name: "settlement", path: "/leagues/2026-03-50-00002/settlement", shows: /82 points − 4 for transfers = 78/ },
  { name: "panel", path: "/panel", as: "admin", answers: { status: CLOSED }, shows: "Withdrawal Requests" },
  { name: "panel-decide", path: "/panel", as: "admin", answers: { status: CLOSED }, act: first("Leave out"), shows: /The official game has answered for nobody in the league/ },
  {
    name: "panel-confirm-payment",
    path: "/panel",
    as: "admin",
    act: all(first("Confirm"), fill("Amount (KSh)", "0"), click("Credit the wallet")),
    shows: "Please enter a valid amount.",
  },
  { name: "panel-reject", path: "/panel", as: "admin", act: inPart("Withdrawal Requests", "Reject"), shows: /what they owe is paid of it first\. Nothing is sent to/ },
  { name: "panel-done", path: "/panel", as: "admin", act: first("Mark as Done"), shows: /was it sent\?/ },
  {
    name: "panel-influencer",
    path: "/panel",
    as: "admin",
    act: all(fill("Name", "Mwalimu FPL"), click("Create link")),
    shows: /The link of Mwalimu FPL/,
  },
  {
    name: "panel-confirm",
    path: "/panel",
    as: "admin",
    answers: { status: CLOSED },
    act: click("End Gameweek"),
    shows: "Pay the winners",
  },
  {
    name: "panel-paying",
    path: "/panel",
    as: "admin",
    answers: { status: CLOSED },
    act: all(click("End Gameweek"), click("Pay the winners")),
    shows: /12 of 31 leagues settled/,
  },
  {
    name: "panel-deduction",
    path: "/panel",
    as: "admin",
    act: (page) => page.getByText("Transfer point deduction", { exact: true }).click(),
    shows: /deadline has not passed: gameweek 3\./,
  },
  {
    name: "panel-call-off",
    path: "/panel",
    as: "admin",
    answers: { status: CLOSED },
    act: click("Call off"),
    shows: /^Every stake that is not paid out goes back/,
  },
  { name: "panel-pause", path: "/panel", as: "admin", act: click("Pause entries"), shows: /^Nobody can join or pay/ },
  {
    name: "panel-story",
    path: "/panel",
    as: "admin",
    act: (page) => page.getByText("The whole timeline").nth(1).click(),
    shows: /M-Pesa called 3 times/,
  },
  { name: "panel-credit", path: "/panel", as: "admin", act: all(click("Credit"), inDialog("Credit")), shows: "Give the reason: it is kept with the case." },
  { name: "panel-players", path: "/panel/players?q=oti", as: "admin", shows: "otis_k" },
  { name: "panel-player", path: "/panel/players/u7", as: "admin", shows: "Acts of admins" },
  {
    name: "panel-player-team",
    path: "/panel/players/u7",
    as: "admin",
    act: all(click("Change team"), inDialog("Change team")),
    shows: "FPL ID must be a numeric value.",
  },
  {
    name: "panel-player-correct",
    path: "/panel/players/u7",
    as: "admin",
    act: all(click("Correct wallet"), inDialog("Correct the wallet")),
    shows: "Give the reason: the player reads it.",
  },
  { name: "panel-totp", path: "/panel/security", as: "admin", act: all(fill("Your password", "secret7"), click("Set up"), click("Turn on")), shows: "Enter the code from your authenticator app." },
  {
    name: "panel-totp-codes",
    path: "/panel/security",
    as: "admin",
    act: all(fill("Your password", "secret7"), click("Set up"), fill("Code", "492039"), click("Turn on")),
    shows: "I have kept them",
  },
  {
    name: "login-code",
    path: "/login",
    answers: { needsCode: true },
    act: all(fill("Email", "admin@example.com"), fill("Password", "secret7"), click("Login")),
    shows: /^From your authenticator app/,
  },
  { name: "panel-approvals", path: "/panel/approvals", as: "admin", shows: /^Refused by second-admin/ },
  { name: "panel-approve", path: "/panel/approvals", as: "admin", act: all(click("Approve")), shows: /It is done at once, and not taken back/ },
  {
    name: "panel-refuse",
    path: "/panel/approvals",
    as: "admin",
    act: all(first("Refuse"), inDialog("Refuse")),
    shows: "Give the reason: it is kept in the audit log.",
  },
  { name: "panel-step-up", path: "/panel/approvals", as: "admin", act: all(click("Approve"), inDialog("Approve")), shows: /^Acts about money need a fresh code\./ },
  { name: "panel-suspended", path: "/panel", as: "admin", answers: { suspended: true }, shows: /^Your account is suspended/ },
  { name: "panel-books", path: "/panel/books", as: "admin", shows: "Last reading" },
  { name: "panel-records", path: "/panel/records", as: "admin", shows: "Closed a withdrawal" },
  { name: "panel-export", path: "/panel/records", as: "admin", act: click("Download CSV"), shows: "Go on after 1000 rows" },
];

/** What the app says of a file that did not come. */
const LOSS = /Failed to fetch dynamically imported module|Unable to preload CSS/;

for (const screen of SCREENS) {
  test(screen.name, async ({ page }, info) => {
    test.skip(inKiswahili() && screen.as === "admin", "the panel is English");
    const complaints: string[] = [];
    page.on("console", (line) => {
      // A call that is refused is an answer like any other; the browser prints it all the same.
      const isLoss = line.text().startsWith("Failed to load resource") || (screen.lost && LOSS.test(line.text()));
      if (line.type() === "error" && !isLoss) complaints.push(line.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await answer(page, screen.answers, screen.as);
    if (screen.lost) await page.route(screen.lost, (route) => route.abort());
    if (screen.as) await logInAs(page, screen.as, screen.news);
    if (screen.phone) {
      await page.addInitScript((phone) => Object.defineProperty(navigator, "userAgent", { value: phone }), screen.phone);
    }
    await page.goto(screen.path);
    await screen.act?.(page);
    const shows = typeof screen.shows === "string" ? said(screen.shows) : saidPart(screen.shows);
    if (shows !== null) await expect(page.getByText(shows).first()).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", inKiswahili() ? "sw" : "en");
    await page.waitForLoadState("networkidle");

    for (const scheme of SCHEMES) {
      await show(page, scheme);
      await picture(page, `${screen.name}-${info.project.name}-${scheme}`);
      await expectNoFindings(page, scheme);
    }
    expect(complaints, "what the console says, the content policy's refusals among it").toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, "scrolls sideways").toBe(false);
  });
}

/** To look at, where somebody wants to (SHOTS). Under a dialog the page is only background. */
async function picture(page: Page, name: string) {
  const folder = process.env.SHOTS;
  if (!folder) return;
  const fullPage = (await page.locator("dialog[open]").count()) === 0;
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage });
}
