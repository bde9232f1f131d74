/**
 * What the screen says about money, over answers of our own: each page has the same words for where a player stands, what
 * is decided while a page is open is shown there, and the rules say what holds. `money-told.spec.ts` plays what leads there.
 */
import { expect, test } from "@playwright/test";
import { answer, CLOSED, logInAs, OPEN } from "./answers";
import { leagues } from "./league-answers";

const ENTRY = { gameweek: "2026-03", season: 2026, number: 3, amount: 100, league: null, rank: null, points: null, prize: 0, refund: 0, at: "2026-08-20T05:00:00Z" };
const DRAWN = { league: "2026-03-100-00002" };
const REFUND = { refund: 100, refundReason: "You were the only one who had joined." };
const PROMPT = { checkoutId: "c9", amount: 100, entryAmount: 100, entryGameweek: 3, entered: false, at: "2026-08-20T06:11:30Z" };
const SETTLING = { ...CLOSED, state: "settling", now: "2026-08-25T12:00:00Z" };
const IN_THE_WALLET = "You already joined this gameweek. Your money is in your wallet.";

type State = {
  is: string;
  status: object;
  entry?: object;
  prompt?: object;
  /** On the main page and the leagues'. */
  line: string;
  /** In "My entries". */
  listed: string;
};

const STATES: State[] = [
  { is: "not in", status: OPEN, line: "You have not joined yet.", listed: "You have not joined a league yet." },
  { is: "waiting for M-Pesa", status: OPEN, prompt: { state: "PENDING" }, line: "Waiting for M-Pesa: KSh\u00a0100.", listed: "You have not joined a league yet." },
  { is: "in", status: OPEN, entry: {}, line: "You are in: KSh\u00a0100.", listed: "Waiting for the draw" },
  { is: "refunded, and why", status: CLOSED, entry: REFUND, line: `Refunded KSh\u00a0100. ${REFUND.refundReason}`, listed: REFUND.refundReason },
  { is: "playing", status: CLOSED, entry: DRAWN, line: "You are playing: KSh\u00a0100, Group #2.", listed: "In play" },
  { is: "won", status: SETTLING, entry: { ...DRAWN, rank: 1, points: 78, prize: 900 }, line: "You won KSh\u00a0900.", listed: "Won KSh 900" },
  { is: "lost", status: SETTLING, entry: { ...DRAWN, rank: 4, points: 61 }, line: "No prize: rank 4 with 61 points.", listed: "Rank 4 with 61 points" },
];

for (const { is, status, entry, prompt, line, listed } of STATES) {
  test(`where a player stands is the same on every page: ${is}`, async ({ page }) => {
    const entries = entry ? [{ ...ENTRY, ...entry }] : [];
    const prompts = prompt ? [{ ...PROMPT, ...prompt }] : [];
    await answer(page, { status, prompts, others: { "GET /api/me/entries": { entries, profitAndLoss: 0 } } });
    await logInAs(page, "player");
    await page.goto("/payment");
    const gameweek = page.getByRole("region", { name: "Gameweek 3", exact: true });
    await expect(gameweek).toContainText(line);
    await page.getByRole("button", { name: "View Leagues" }).click();
    await expect(page).toHaveURL(entry || prompt ? /\/leagues\?amount=100$/ : /\/leagues$/);
    await expect(gameweek).toContainText(line);
    await page.goto("/entries");
    await expect(page.getByText(listed, { exact: true })).toBeVisible();
  });
}

test("what the draw decides while the page is open is shown there, and its money is in the wallet", async ({ page }) => {
  await page.clock.install();
  let decided = false;
  await answer(page, { status: CLOSED, wallet: 0 });
  await page.route("**/api/me/entries", (route) => route.fulfill({ json: { entries: [decided ? { ...ENTRY, ...REFUND } : ENTRY], profitAndLoss: 0 } }));
  await page.route("**/api/users/u1/wallet", (route) => route.fulfill({ json: { wallet: decided ? 100 : 0, owed: 0 } }));
  await logInAs(page, "player");
  await page.goto("/payment");
  const gameweek = page.getByRole("region", { name: "Gameweek 3", exact: true });
  const wallet = page.getByRole("region", { name: "Wallet", exact: true });
  await expect(gameweek).toContainText("You are in: KSh\u00a0100.");
  await expect(wallet).toContainText("KSh 0");
  decided = true;
  await page.clock.fastForward(61_000);
  await expect(gameweek).toContainText(`Refunded KSh\u00a0100. ${REFUND.refundReason}`);
  await expect(wallet).toContainText("KSh 100");
});

test("of a payment that made no entry it is said once that the money is in the wallet", async ({ page }) => {
  await answer(page, { prompts: [{ ...PROMPT, state: "SUCCESS", reason: IN_THE_WALLET }] });
  await logInAs(page, "player");
  await page.goto("/payment");
  await expect(page.getByText(`Your payment of KSh 100 arrived, but made no entry. ${IN_THE_WALLET}`, { exact: true })).toBeVisible();
});

test("a paid prompt whose join is refused: the dialog says once where the money is", async ({ page }) => {
  await page.clock.install();
  const paid = { "GET /api/pay/status": { success: true, status: "SUCCESS" } };
  await answer(page, { others: paid, refused: { "POST /api/join-league": IN_THE_WALLET } });
  await logInAs(page, "player");
  await page.goto("/payment");
  await page.getByRole("button", { name: "KSh 50", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Pay KSh 50" });
  await dialog.getByLabel("Phone number").fill("0712345678");
  await dialog.getByRole("button", { name: "Pay Now" }).click();
  await expect(page.getByText("Check your phone to complete the payment")).toBeVisible();
  await page.clock.fastForward(6_000);
  await expect(dialog.getByRole("alert")).toContainText(IN_THE_WALLET);
  expect((await dialog.innerText()).match(/in your wallet/g)).toHaveLength(1);
});

test("the rules say whether extra transfers cost points: now, and after the deadline", async ({ page }) => {
  const off = { deductTransferPoints: false };
  for (const [status, rule] of [
    [OPEN, "Each extra transfer beyond the free ones reduces your gameweek points."],
    [{ ...OPEN, ...off }, "Points that extra transfers cost are not deducted this gameweek."],
    [CLOSED, "In the next gameweek each extra transfer beyond the free ones reduces your gameweek points."],
    [{ ...CLOSED, ...off }, "Points that extra transfers cost are not deducted in the next gameweek."],
  ] as const) {
    await answer(page, { status });
    await page.goto("/payment");
    const rules = page.getByRole("region", { name: "Rules" });
    await expect(rules).toContainText("10 % is our fee.");
    await expect(rules).toContainText(rule);
  }
});

test("after the deadline: when the next gameweek can be joined, and no amount promises a full league", async ({ page }) => {
  await answer(page, { status: CLOSED });
  await logInAs(page, "player");
  await page.goto("/payment");
  await expect(page.getByText("The next gameweek opens when this one is settled, or else on Thu 27 Aug, 13:30.")).toBeVisible();
  const checkout = page.getByRole("region", { name: "Auto Checkout" });
  await expect(checkout.getByText("27 joined")).toBeVisible();
  await expect(checkout.getByText(/a full league pays/)).toHaveCount(0);
});

test("a league has one name on every page", async ({ page }) => {
  const won = { ...ENTRY, gameweek: "2026-02", number: 2, league: "2026-02-100-00002", rank: 1, points: 78, prize: 900, at: "2026-08-14T05:00:00Z" };
  const entries = [{ ...ENTRY, ...DRAWN }, won];
  await answer(page, { status: CLOSED, leagues: leagues("drawn"), others: { "GET /api/me/entries": { entries, profitAndLoss: 700 } } });
  await logInAs(page, "player", true);
  await page.goto("/payment");
  const news = page.getByRole("dialog", { name: "You won KSh 900" });
  await expect(news).toContainText("Group #2, gameweek 2: rank 1 with 78 points.");
  await news.getByRole("button", { name: "Close" }).click();
  for (const [path, name] of [
    ["/payment", /^You are playing: KSh.100, Group #2\.$/],
    ["/leagues?amount=100", "Group #2 (Your Group)"],
    ["/entries", "Group #2"],
    ["/leagues/2026-03-50-00002/settlement", "Group #2, gameweek 3"],
    ["/cases/c1", /^Group #2 · KSh/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(name).first()).toBeVisible();
    expect(await page.locator("body").innerText(), path).not.toMatch(/\b(league|pool|division|room) (#|no\.? ?|number )?\d/i);
  }
});
