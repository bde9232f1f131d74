/**
 * A league while its matches are on, over answers of our own: what it tells of each member, that it moves by itself, and a
 * member's team. `gameweek.spec.ts` plays such a day.
 */
import { expect, test, type Page } from "@playwright/test";
import { answer, CLOSED, logInAs } from "./answers";
import { leagues } from "./league-answers";
import { oneLeague } from "./pitch-answers";

const LIST = leagues("drawn");

/** The same leagues, with one member's figures changed. */
const changed = (username: string, change: object) =>
  LIST.map((league) => ({ ...league, users: league.users.map((user) => (user.username === username ? { ...user, ...change } : user)) }));

const ownLeague = (page: Page) => page.getByRole("region", { name: "(Your Group)" });
const rowOf = (page: Page, username: string) => ownLeague(page).getByRole("row").filter({ hasText: username });

/** As a phone does whose owner looks at something else, and again. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((is) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: is });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: is ? "hidden" : "visible" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, hidden);

test("before the draw no team is shown, nor asked for", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await answer(page);
  await logInAs(page, "player");
  await page.goto("/leagues");
  await expect(rowOf(page, "otieno")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("button", { name: /^Team of / })).toHaveCount(0);
  expect(asked.filter((address) => /[?&](team|league)=/.test(address))).toEqual([]);
});

test("of each member: captain, chip, who has played, plays and is left, the points now and whose are official", async ({ page }) => {
  await answer(page, { status: CLOSED, leagues: changed("kamau254", { status: "final" }) });
  await logInAs(page, "player");
  await page.goto("/leagues");
  const [first, second, third] = [rowOf(page, "otieno"), rowOf(page, "achieng_ke"), rowOf(page, "kamau254")];
  for (const part of ["C Haaland", "3 played · 8 left"]) await expect(first).toContainText(part);
  for (const part of ["C Saka", "4 played · 1 playing · 6 left", "Bench Boost"]) await expect(second).toContainText(part);
  await expect(first.getByRole("cell").last()).toContainText("78");
  await expect(first).not.toContainText("official");
  for (const part of ["74", "official"]) await expect(third.getByRole("cell").last()).toContainText(part);
  await expect(ownLeague(page).getByText("Live points, as of Sat 22 Aug, 17:58")).toBeVisible();
});

test("ranks move by themselves while matches are on; a page that is hidden asks for nothing, and nobody but us is asked", async ({ page }) => {
  await page.clock.install();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  let now: object[] = LIST;
  await answer(page, { status: CLOSED, leagues: LIST });
  await page.route(/[?&]league=2(&|$)/, (route) => route.fulfill({ json: oneLeague(now, 2) }));
  await logInAs(page, "player");
  await page.goto("/leagues");
  await expect(rowOf(page, "otieno")).toContainText("played");

  now = changed("wanjiru", { points: 90 });
  await page.clock.fastForward(61_000);
  await expect(rowOf(page, "wanjiru").getByRole("img", { name: "up 7" })).toBeVisible();
  await expect(rowOf(page, "otieno").getByRole("img", { name: "down 1" })).toBeVisible();
  await expect(ownLeague(page).getByRole("row").nth(1)).toContainText("wanjiru");

  await setHidden(page, true);
  // What was asked for before is on its way.
  await page.waitForTimeout(300);
  const before = asked.length;
  for (let minutes = 0; minutes < 5; minutes += 1) await page.clock.fastForward(61_000);
  await page.waitForTimeout(300);
  expect(asked.slice(before)).toEqual([]);
  await setHidden(page, false);
  await expect.poll(() => asked.slice(before).some((address) => /[?&]league=2/.test(address))).toBe(true);
  const { origin } = new URL(page.url());
  expect(asked.filter((address) => address.startsWith("http") && new URL(address).origin !== origin)).toEqual([]);
});

test("a team on the pitch: shirt, armband, points and why, bonus to come, who came on for whom; and beside mine", async ({ page }) => {
  await answer(page, { status: CLOSED, leagues: LIST });
  await logInAs(page, "player");
  await page.goto("/leagues");
  await ownLeague(page).getByRole("button", { name: /^Team of otieno: captain Haaland / }).click();
  const team = page.getByRole("dialog", { name: "otieno" });
  const pitch = team.getByRole("group", { name: "Team of otieno" });
  await expect(pitch.getByRole("button")).toHaveCount(15);
  await expect(pitch.getByRole("button", { name: "Palmer 5 points, vice-captain" })).toBeVisible();

  const saka = pitch.getByRole("button", { name: "Saka 26 points, captain, playing, 6 bonus may come" });
  await expect(saka.locator("svg text")).toHaveText("ARS");
  await expect(saka.getByText("C", { exact: true })).toBeVisible();
  await saka.click();
  const why = pitch.getByRole("region", { name: "Saka" });
  for (const part of ["71 minutes", "2 goals", "As captain, 2 times", "3 bonus as it stands, not counted yet."]) await expect(why).toContainText(part);

  await pitch.getByRole("button", { name: "Dorgu 6 points, came on" }).click();
  await expect(pitch.getByText("Played. Came on for Van Hecke.")).toBeVisible();

  await team.getByRole("button", { name: "Beside mine" }).click();
  const [mine, theirs] = [team.getByRole("region", { name: "Only you" }), team.getByRole("region", { name: "Only otieno" })];
  for (const name of ["M.Salah ×2", "Isak"]) await expect(mine).toContainText(name);
  for (const name of ["Saka ×2", "Haaland"]) await expect(theirs).toContainText(name);
  await expect(team.getByText("You need 13 more points to pass otieno.")).toBeVisible();
});
