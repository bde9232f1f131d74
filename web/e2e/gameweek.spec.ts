/**
 * The main job of the product in a browser, from a referral link to a paid prize and a withdrawal, as
 * two players and the admin, against the whole local stack. Needs ADMIN_PASSWORD (and ADMIN_EMAIL
 * where it is not the default), and a gameweek that is open.
 */
import { gzipSync } from "node:zlib";
import { expect, test, type Page, type Response } from "@playwright/test";
import {
  ADMIN,
  askForDeposit,
  askToPay,
  balance,
  joinFromWallet,
  logIn,
  newPerson,
  newPhone,
  referralLink,
  register,
  withdraw,
} from "./steps";
import { World } from "./world";

const AMOUNT = 50;

/** In the page: notes on its body that a row was moved. */
function countGlides() {
  const animate = Reflect.get<Element, "animate">(Element.prototype, "animate");
  Element.prototype.animate = function (...how) {
    if (this.matches("tr[data-team]")) document.body.dataset.glides = "some";
    return animate.apply(this, how);
  };
}

/** What the edge sends of an answer's body at the most: by gzip, and what is short as it is. Bytes. */
async function sent(answer: Response) {
  if (answer.status() === 304) return 0;
  const body = await answer.body();
  return body.length < 1_000 ? body.length : gzipSync(body).length;
}

/** What the league's page reads anew by itself. */
async function refreshed(page: Page): Promise<Response[]> {
  const answers = new Map<string, Response>();
  page.on("response", (answer) => {
    const [what] = /\/api\/gameweek\/status$|[?&]league=\d+/.exec(answer.url()) ?? [];
    if (what) answers.set(what, answer);
  });
  // Between matches it asks each five minutes.
  await page.clock.fastForward(301_000);
  await expect.poll(() => answers.size).toBeGreaterThan(1);
  return [...answers.values()];
}

test("a gameweek, from a referral link to the prize and its withdrawal (spec sections 2 and 4)", async ({ page, browser, request }) => {
  expect(ADMIN.password, "ADMIN_PASSWORD is not set").not.toBe("");
  const world = new World(request);
  const { isOpen, gameweek, deadline } = await world.gameweek();
  expect(isOpen && gameweek !== null, "no gameweek is open: start the stack anew").toBe(true);
  const current = gameweek ?? 0;
  const winner = newPerson("wanjiru");
  const friend = newPerson("otieno");

  const [desk, alone] = [await newPhone(browser), await newPhone(browser)];
  await logIn(desk, ADMIN);
  const link = await referralLink(desk, winner.username);

  await test.step("a player follows the link, registers, logs in and deposits by prompt", async () => {
    await page.goto(link);
    await expect(page).toHaveURL(/\/register\?ref=[a-z0-9]+$/);
    await register(page, winner, page.url());
    await logIn(page, winner);
    await expect(page.getByText(`Hello, ${winner.username}`)).toBeVisible();
    await expect(balance(page)).toContainText("KSh 0");
    await askForDeposit(page, winner.phone, 200);
    await world.approve(winner.phone, 200);
    await expect(page.getByText("Deposit successful")).toBeVisible();
    await expect(balance(page)).toContainText("KSh 200");
  });

  await test.step("joins from the wallet and finds the group, provisional and said so", async () => {
    // The page loads again two seconds after the deposit: its dialog is gone then.
    await expect(page.getByRole("dialog")).toBeHidden();
    await joinFromWallet(page, AMOUNT);
    await expect(page).toHaveURL(/\/leagues\?amount=50$/);
    await expect(page.getByRole("region", { name: "(Your Group)" })).toContainText("provisional");
    await expect(page.getByRole("row", { name: winner.username })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Team of / })).toHaveCount(0);
  });

  await test.step("a friend comes by the player's invitation and joins by a prompt, others fill the group", async () => {
    await page.getByRole("button", { name: "Profile" }).click();
    await page.getByRole("link", { name: "Invite friends" }).click();
    const invitation = page.getByRole("region", { name: "Your link" });
    const message = new URL((await invitation.getByRole("link", { name: "Send it by WhatsApp" }).getAttribute("href")) ?? "");
    const sent = /http\S+$/.exec(message.searchParams.get("text") ?? "")?.[0] ?? "";
    await expect(invitation.getByText(sent, { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "What came of it" })).toContainText("Visitsfewer than 5");
    const phone = await newPhone(browser);
    for (let visit = 0; visit < 5; visit += 1) {
      await phone.goto(new URL(sent).pathname);
      await expect(phone).toHaveURL(/\/register\?ref=/);
    }
    await page.reload();
    await expect(page.getByRole("region", { name: "What came of it" })).toContainText("Visits5 or more");
    await page.goto("/leagues");
    await register(phone, friend, phone.url());
    await logIn(phone, friend);
    await askToPay(phone, friend.phone, AMOUNT);
    await expect(phone.getByText("Check your phone to complete the payment")).toBeVisible();
    await world.approve(friend.phone, AMOUNT);
    await expect(phone).toHaveURL(/\/leagues\?amount=50$/);
    await expect(phone.getByRole("row", { name: friend.username })).toBeVisible();
    await world.morePlayers(8, AMOUNT);
    await page.reload();
    await expect(page.getByText("provisional · 10 of 10").first()).toBeVisible();
    expect(await world.ledgerSum()).toBe(0);
  });

  await test.step("somebody is alone at another amount", async () => {
    const lone = newPerson("njeri");
    await register(alone, lone);
    await logIn(alone, lone);
    await askToPay(alone, lone.phone, 250);
    await world.approve(lone.phone, 250);
    await expect(alone).toHaveURL(/\/leagues\?amount=250$/);
  });

  await test.step("the deadline passes: no more entries, the draw makes the league", async () => {
    await world.clockTo(new Date(Date.parse(deadline) + 15 * 60_000));
    await page.goto("/payment");
    await expect(page.getByText("The deadline has passed.").first()).toBeVisible();
    await expect(page.getByText(/^The next gameweek opens when this one is settled, or else on \w+ \d+ \w+, \d\d:\d\d\.$/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Checkout from Wallet" })).toBeDisabled();
    await page.goto("/leagues");
    await expect(page.getByRole("region", { name: "(Your Group)" })).not.toContainText("provisional");
  });

  await test.step("who doubts the draw makes it again in the browser", async () => {
    await page.getByRole("link", { name: /^How the draw is made/ }).click();
    await page.getByRole("button", { name: "Check it in this browser" }).first().click();
    await expect(page.getByText("Yes: the draw made these leagues.")).toBeVisible();
    await expect(page.getByText(/^Your Group #1 has/)).toBeVisible();
  });

  await test.step("who was alone at an amount has the money back, and is told why", async () => {
    await alone.goto("/payment");
    await expect(alone.getByText(/^Refunded KSh\s250\./).first()).toBeVisible();
    await expect(alone.getByText("You are in")).toBeHidden();
    await expect(balance(alone)).toContainText("KSh 250");
  });

  await test.step("on the match day the league moves by itself", async () => {
    await world.phase(current, "live");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.clock.install();
    await page.goto("/leagues");
    const league = page.getByRole("region", { name: "(Your Group)" });
    await expect(league.getByText(/^Live points/)).toBeVisible();
    await page.evaluate(countGlides);
    const order = () => league.getByRole("row").allInnerTexts();
    await expect(async () => {
      const before = await order();
      await world.advance(2 * 3600);
      // The page asks each minute of the phone's own time.
      await page.clock.fastForward(61_000);
      await expect.poll(order, { timeout: 5_000 }).not.toEqual(before);
      expect(await page.evaluate(() => document.body.dataset.glides)).toBeDefined();
    }).toPass({ timeout: 120_000 });
  });

  await test.step("a refresh costs less than 3 KB, and has a tag by which it is asked for again", async () => {
    let bytes = 0;
    for (const answer of await refreshed(page)) {
      bytes += await sent(answer);
      expect(await answer.headerValue("etag"), answer.url()).not.toBeNull();
    }
    expect(bytes).toBeLessThan(3_000);
  });

  await test.step("a tap opens a team on the pitch, beside the own one", async () => {
    await page.getByRole("button", { name: new RegExp(`^Team of ${friend.username}:`) }).click();
    const team = page.getByRole("dialog", { name: friend.username });
    const pitch = team.getByRole("group", { name: `Team of ${friend.username}` });
    await expect(pitch.getByRole("button")).toHaveCount(15);
    await pitch.getByRole("button").first().click();
    await team.getByRole("button", { name: "Beside mine" }).click();
    await expect(team.getByText(/ to pass |ahead|level/).first()).toBeVisible();
    await team.getByRole("button", { name: "Close" }).first().click();
  });

  await test.step("the points are official, and the admin ends the gameweek", async () => {
    await world.points(winner.fplId, current, 150);
    await world.phase(current, "checked");
    await desk.goto("/");
    await expect(desk).toHaveURL(/\/panel$/);
    await expect(desk.getByText(/leagues? pays? up to KSh 450/).first()).toBeVisible();
    await desk.getByRole("button", { name: "End Gameweek" }).click();
    await desk.getByRole("button", { name: "Pay the winners" }).click();
    await expect(desk.getByText(`Gameweek ${current} is settled`)).toBeVisible();
    // Nothing is to pay any more.
    await expect(desk.getByText(new RegExp(`^Gameweek ${current}: (\\d+) of \\1 leagues settled\\.$`))).toBeVisible();
    expect(await world.ledgerSum()).toBe(0);
  });

  await test.step("the player finds the result, and is told of it once, with a picture to make of it", async () => {
    await page.goto("/entries");
    await expect(page.getByText("Won KSh 450")).toBeVisible();
    await page.getByRole("link", { name: "Group #1" }).click();
    const news = page.getByRole("dialog", { name: "You won KSh 450" });
    await expect(news).toContainText(`Group #1, gameweek ${current}: rank 1 with 150 points`);
    await expect(news.getByText("Keep it there for your next entries, or withdraw it to M-Pesa.")).toBeVisible();
    await expect(news.getByRole("button", { name: "Withdraw" })).toBeVisible();
    await news.getByRole("button", { name: "Make a picture to share" }).click();
    const saved = page.waitForEvent("download");
    await news.getByRole("button", { name: "Save the picture" }).click();
    expect((await saved).suggestedFilename()).toBe(`gameweek-${current}.png`);
    const message = await news.getByRole("link", { name: /WhatsApp/ }).getAttribute("href");
    expect(decodeURIComponent(message ?? "")).not.toContain(winner.username);
    await news.getByRole("button", { name: "Close" }).click();
  });

  await test.step("under it is how the league was settled", async () => {
    await expect(page.getByText("Paid to players")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: winner.username })).toContainText("won KSh 450");
  });

  await test.step("visitors see what was paid, and a real league, under the form", async () => {
    const visitor = await newPhone(browser);
    await visitor.goto("/");
    const paid = visitor.getByRole("region", { name: new RegExp(`^Gameweek ${current} paid KSh`) });
    await expect(paid.getByRole("listitem").first()).toContainText("points");
    await paid.getByRole("link", { name: /^The whole league/ }).click();
    await expect(visitor.getByText("Paid to players")).toBeVisible();
  });

  await test.step("the prize is in the wallet, and is withdrawn", async () => {
    await page.goto("/payment");
    // 200 deposited, 50 paid, 450 won.
    await expect(balance(page)).toContainText("KSh 600");
    await page.waitForLoadState("networkidle");
    await expect(page.getByRole("dialog"), "the win is told once").toHaveCount(0);
    await withdraw(page, winner.phone, 450);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await expect(balance(page)).toContainText("KSh 150");
  });

  await test.step("the admin marks it done, and the books sum to nothing", async () => {
    const requests = desk.getByRole("region", { name: "Withdrawal Requests" });
    await requests.getByRole("button", { name: "Refresh" }).click();
    const item = requests.getByRole("listitem").filter({ hasText: winner.username });
    await item.getByRole("button", { name: "Mark as Done" }).click();
    await desk.getByRole("button", { name: "Yes, it was sent" }).click();
    await expect(item).toBeHidden();
    expect(await world.ledgerSum()).toBe(0);
  });
});
