/**
 * Every route of spec §2, as a guest, a player and the admin, against the whole local stack: the screen
 * is there, or whoever may not see it is sent where they belong. axe finds nothing, light and dark.
 */
import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { ADMIN, logIn, newPerson, register } from "./steps";

type Place = { path: string; heading: string | RegExp };

/** What anybody may see. */
const OPEN: Place[] = [
  { path: "/", heading: "Log in" },
  { path: "/login", heading: "Log in" },
  { path: "/register", heading: "Create Fpl Leagues Account" },
  { path: "/signup?ref=abc", heading: "Create Fpl Leagues Account" },
  { path: "/get-fpl-id", heading: "Find your FPL ID" },
  { path: "/tutorial", heading: "Find your FPL ID" },
  { path: "/forgot-password", heading: "Forgot your password?" },
  { path: "/reset-password/abc", heading: "Choose a new password" },
  { path: "/cancel-withdrawal/abc", heading: "A withdrawal to a new number" },
  { path: "/reset-password", heading: "Choose a new password" },
  { path: "/gameweek", heading: "Premier League Latest" },
  { path: "/leagues", heading: "Leagues - 50 Shs" },
  { path: "/contact", heading: "Contact" },
  { path: "/terms", heading: "Terms" },
  { path: "/privacy", heading: "Privacy" },
  { path: "/responsible-play", heading: "Responsible play" },
  { path: "/nowhere", heading: "There is no such page" },
];

async function expectScreen(page: Page, { path, heading }: Place) {
  await test.step(path, async () => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectAccessible(page, path);
  });
}

async function expectSentTo(page: Page, path: string, to: RegExp) {
  await test.step(`${path} leads to ${to}`, async () => {
    await page.goto(path);
    await expect(page).toHaveURL(to);
  });
}

test("a guest (spec section 2)", async ({ page }) => {
  for (const place of OPEN) await expectScreen(page, place);
  await expectSentTo(page, "/ref/nobody", /\/register\?ref=nobody$/);
  for (const path of ["/checkout-wallet", "/panel", "/entries", "/transactions", "/withdrawals", "/team"]) {
    await expectSentTo(page, path, /\/login$/);
  }
  await page.goto("/");
  await page.getByRole("button", { name: "Enter as Guest" }).click();
  await expect(page.getByText("Hello, Guest")).toBeVisible();
  await expectScreen(page, { path: "/payment", heading: "Ready for the Gameweek?" });
  await page.getByRole("button", { name: "Log in to Join League" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a player (spec section 2)", async ({ page }) => {
  const who = newPerson("zawadi");
  await register(page, who);
  await logIn(page, who);
  await expectScreen(page, { path: "/payment", heading: "Ready for the Gameweek?" });
  for (const [path, heading] of [
    ["/leagues", "Leagues - 50 Shs"],
    ["/entries", "My entries"],
    ["/transactions", "Transactions"],
    ["/withdrawals", "Withdrawals"],
  ] as const) {
    await expectScreen(page, { path, heading });
  }
  await page.goto("/checkout-wallet");
  await expect(page.getByRole("dialog", { name: "Select Entry Amount" })).toBeVisible();
  await expectSentTo(page, "/panel", /\/payment$/);
  for (const path of ["/", "/register", "/signup?ref=abc"]) await expectSentTo(page, path, /\/payment$/);
});

test("the admin (spec section 2)", async ({ page }) => {
  await logIn(page, ADMIN);
  await expectScreen(page, { path: "/panel", heading: "Admin panel" });
  for (const name of ["Gameweek Control", "Pending Manual Payments", "Withdrawal Requests", "Influencer Links"]) {
    await expect(page.getByRole("region", { name })).toBeVisible();
  }
  for (const part of ["players", "books", "records", "security"]) {
    await expectScreen(page, { path: `/panel/${part}`, heading: "Admin panel" });
  }
  await expectSentTo(page, "/", /\/panel$/);
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
});

test("an open tab says that there is a new version, and a file that is gone with the old one brings it", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  await expect(page.getByLabel("Email")).toBeVisible();
  const newer = '<div id="root"></div><script type="module" src="/assets/index-0.js"></script>';
  await page.route("/", (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.fulfill({ contentType: "text/html", body: newer }),
  );
  await page.clock.fastForward("31:00");
  await expect(page.getByText("A new version is here.")).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText("A new version is here.")).toHaveCount(0);
  await expect(page.getByLabel("Email")).toBeVisible();

  const file = "**/assets/RegisterPage-*.js";
  await page.route(file, (route) => route.abort());
  await page.route("/register", async (route) => {
    await page.unroute(file);
    await route.continue();
  });
  const loadedAgain = page.waitForEvent("load");
  await page.getByRole("link", { name: "Create an account" }).click();
  await loadedAgain;
  await expect(page.getByLabel("Username")).toBeVisible();
  await expect(page).toHaveURL(/\/register$/);
});

test("the video of the team id plays, with captions (spec section 2)", async ({ page, context }) => {
  await page.goto("/get-fpl-id");
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Watch the video" }).click();
  const tab = await opened;
  const video = tab.locator("video");
  await video.evaluate(async (element: HTMLVideoElement) => {
    for (const track of element.textTracks) track.mode = "showing";
    element.muted = true;
    await element.play();
  });
  await expect(async () => {
    const { seconds, cues } = await video.evaluate((element: HTMLVideoElement) => ({
      seconds: element.duration,
      cues: element.textTracks[0]?.cues?.length,
    }));
    expect({ seconds, cues }).toEqual({ seconds: 20, cues: 4 });
  }).toPass();
});

test("who runs no script finds a head for each public page, a map and a picture", async ({ request }) => {
  const origin = "http://localhost:4000";
  const map = await (await request.get("/sitemap.xml")).text();
  const paths = [...map.matchAll(/<loc>http:\/\/localhost:4000([^<]*)<\/loc>/g)].map(([, path = ""]) => path);
  expect(paths).toEqual(expect.arrayContaining(["/", "/register", "/terms", "/leagues"]));
  const titles = new Set<string>();
  for (const path of paths) {
    const page = await (await request.get(path)).text();
    const tag = (pattern: RegExp) => pattern.exec(page)?.[1];
    expect([path, tag(/<link rel="canonical" href="([^"]+)"/)]).toEqual([path, `${origin}${path}`]);
    expect([path, tag(/property="og:url" content="([^"]+)"/)]).toEqual([path, `${origin}${path}`]);
    expect(tag(/name="description" content="([^"]{30,})"/)).toBe(tag(/property="og:description" content="([^"]+)"/));
    titles.add(tag(/<title>([^<]+)<\/title>/) ?? "");
  }
  expect(titles.size).toBe(paths.length);
  // Another address of a page names that page; what is no page of its own has the general head.
  expect(await (await request.get("/signup")).text()).toContain(`href="${origin}/register"`);
  expect(await (await request.get("/cases/c1")).text()).toContain(`href="${origin}/"`);
  // One head for all leagues, one for all draws: it says what it is, and no address.
  for (const [path, title] of [
    ["/leagues/2026-01-50-00001/settlement", "How a league was paid"],
    ["/gameweeks/2026-01/draw", "How a gameweek was drawn"],
  ] as const) {
    const page = await (await request.get(path)).text();
    expect(page).toContain(`<title>${title} · FPL Leagues</title>`);
    expect(page).toContain(`property="og:title" content="${title} · FPL Leagues"`);
    expect(page).not.toMatch(/rel="canonical"|og:url/);
    expect(page).toContain('name="robots" content="noindex"');
  }
  expect(await (await request.get("/robots.txt")).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
  const picture = await request.get("/preview.png");
  expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/png"]);
});

test("the first page's figures come from public calls that the edge keeps", async ({ page, request }) => {
  const calls = new Set<string>();
  page.on("request", (call) => {
    const { pathname } = new URL(call.url());
    if (pathname.startsWith("/api/")) calls.add(pathname);
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "How you know that it is fair" })).toBeVisible();
  expect([...calls]).toEqual(expect.arrayContaining(["/api/gameweek/status", "/api/gameweeks", "/api/settings"]));
  for (const path of calls) {
    const { "cache-control": kept = "" } = (await request.get(path)).headers();
    expect([path, kept]).toEqual([path, expect.stringMatching(/^public, max-age=0, s-maxage=[1-9]/)]);
  }
});

test("files come compressed under names that never change; pages are asked for each time", async ({ page, request }) => {
  const files: string[] = [];
  page.on("response", (answer) => {
    const { pathname } = new URL(answer.url());
    if (pathname.startsWith("/assets/")) files.push(pathname);
  });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
  expect(files.length).toBeGreaterThan(1);
  for (const path of files) {
    const { "cache-control": kept, "content-encoding": packed } = (await request.get(path)).headers();
    expect({ path, kept, packed: packed ?? "" }).toEqual({
      path,
      kept: "public, max-age=31536000, immutable",
      packed: expect.stringMatching(/^(br|gzip)$/),
    });
  }
  for (const path of ["/", "/payment", "/leagues/x/settlement", "/service-worker.js"]) {
    expect([path, (await request.get(path)).headers()["cache-control"]]).toEqual([path, "no-cache"]);
  }
});
