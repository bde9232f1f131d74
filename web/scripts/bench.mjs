// Lighthouse (mobile) on the login page, a player's main page and their leagues, with none and on the match day of one,
// against a running stack (BASE_URL): of each the median of five runs after one that is discarded. Prints figures;
// decides nothing.
import { chromium } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const LIGHTHOUSE = "lighthouse@12.8.2";
const RUNS = 5;
/** What the player pays for a league, in KES. */
const ENTRY = 50;
const base = process.env.BASE_URL ?? "http://localhost:4000";
const chrome = process.env.CHROMIUM ?? "/usr/bin/chromium";
const run = promisify(execFile);

/** What is read from a report: its name, its value there, and what is asked for. */
const FIGURES = [
  ["performance", (report) => report.categories.performance.score * 100, "at least 98", (v) => v >= 98],
  ["accessibility", (report) => report.categories.accessibility.score * 100, "100", (v) => v === 100],
  ["LCP, s", (report) => report.audits["largest-contentful-paint"].numericValue / 1000, "at most 1.8", (v) => v <= 1.8],
  ["TBT, ms", (report) => report.audits["total-blocking-time"].numericValue, "at most 100", (v) => v <= 100],
  ["CLS", (report) => report.audits["cumulative-layout-shift"].numericValue, "at most 0.01", (v) => v <= 0.01],
  ["Speed Index, s", (report) => report.audits["speed-index"].numericValue / 1000, "", () => true],
  // What Lighthouse found the machine to be: 1,000 and more is a quiet laptop. Figures in time depend on it.
  ["the machine", (report) => report.environment.benchmarkIndex, "", () => true],
  ["over the wire, KB", (report) => report.audits["total-byte-weight"].numericValue / 1024, "", () => true],
];

await measure("/", async () => {
  // A profile of its own for each run: nobody is logged in, and nothing is kept.
  const flags = "--headless=new --no-sandbox --disable-gpu";
  return report("/", [`--chrome-flags=${flags}`]);
});

const profile = mkdtempSync(join(tmpdir(), "bench-"));
const port = 9333;
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: chrome,
  args: ["--no-sandbox", `--remote-debugging-port=${port}`],
  viewport: { width: 360, height: 740 },
  serviceWorkers: "block",
});
try {
  await logInAsSomebody(await browser.newPage());
  // The session stays, the files do not: each run is a player's first visit to the page.
  const tools = await browser.newCDPSession(await browser.newPage());
  const measureAsPlayer = (path, what) =>
    measure(path, async () => {
      await tools.send("Network.clearBrowserCache");
      return report(path, [`--port=${port}`, "--disable-storage-reset"]);
    }, what);
  await measureAsPlayer("/payment");
  await measureAsPlayer("/leagues");
  await playAMatchDay(await browser.newPage());
  await measureAsPlayer(`/leagues?amount=${ENTRY}`, ", a league on its match day");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}

async function report(path, more) {
  const args = ["--yes", LIGHTHOUSE, `${base}${path}`, "--quiet", "--output=json", "--output-path=stdout"];
  const only = "--only-categories=performance,accessibility";
  const { stdout } = await run("npx", [...args, only, ...more], {
    env: { ...process.env, CHROME_PATH: chrome },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout.slice(stdout.indexOf("{")));
}

/** Lighthouse loses the begin of a recording now and then, and says so: such a run is made again. */
async function recorded(once, tries = 3) {
  try {
    return await once();
  } catch (error) {
    if (tries === 1 || !String(error.stderr).includes("NO_NAVSTART")) throw error;
    return recorded(once, tries - 1);
  }
}

async function measure(path, once, what = "") {
  await recorded(once);
  const reports = [];
  for (let i = 0; i < RUNS; i += 1) reports.push(await recorded(once));
  console.log(`\n${path}${what} (median of ${RUNS})`);
  for (const [name, of, asked, holds] of FIGURES) {
    const values = reports.map(of).sort((a, b) => a - b);
    const median = values[Math.floor(values.length / 2)];
    const shown = Number(median.toFixed(3)).toString().padStart(8);
    console.log(`  ${name.padEnd(18)}${shown}  ${asked}${holds(median) ? "" : "  <-- not met"}`);
  }
  for (const finding of new Set(reports.flatMap(inaccessible))) console.log(`  ${finding}`);
}

/** What a report finds inaccessible: which rule, and where. */
function inaccessible(report) {
  return report.categories.accessibility.auditRefs
    .map(({ id }) => report.audits[id])
    .filter(({ score }) => score === 0)
    .map(({ id, details }) => `${id}: ${(details?.items ?? []).map(({ node }) => node?.snippet).join(" ")}`);
}

/** A new player, through the screens. */
async function logInAsSomebody(page) {
  const id = String(Date.now()).slice(-8);
  const email = `bench${id}@example.com`;
  await page.goto(`${base}/register`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Username").fill(`b${id}`);
  await page.getByLabel("Password", { exact: true }).fill("correct horse");
  await page.getByLabel("FPL ID").fill(`1${id}`);
  await page.getByLabel("I am 18 or older.").check();
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL(/\/login$/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("correct horse");
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(/\/payment$/);
  await page.close();
}

/** The player joins a league by M-Pesa, nine others too, and the gameweek goes on to its matches. */
async function playAMatchDay(page) {
  const { gameweek } = await ask("/api/gameweek/status");
  const phone = `07${String(Date.now()).slice(-8)}`;
  await page.goto(`${base}/payment`);
  await page.getByRole("button", { name: `KSh ${ENTRY}`, exact: true }).click();
  await page.getByLabel("Phone number").fill(phone);
  await page.getByRole("button", { name: "Pay Now" }).click();
  await page.getByText("Check your phone to complete the payment").waitFor();
  const [prompt] = await ask(`/sim/api/prompts?phone=${phone}`);
  await ask(`/sim/api/prompts/${prompt.checkoutRequestId}`, "POST", { outcome: "success" });
  await page.waitForURL(/\/leagues/);
  await ask("/sim/api/players", "POST", { count: 9, entryAmount: ENTRY });
  // On the way the deadline passes and the draw is made.
  await ask(`/sim/api/fpl/gameweeks/${gameweek}`, "PUT", { phase: "live" });
  await ask("/sim/api/clock", "POST", { advanceSeconds: 3600 });
  await page.goto(`${base}/leagues?amount=${ENTRY}`);
  await page.getByText(/^Live points/).first().waitFor();
  await page.close();
}

async function ask(path, method = "GET", body = undefined) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json().catch(() => null);
}
