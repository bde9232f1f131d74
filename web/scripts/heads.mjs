// After the build: what previews and search engines read, who run no script. Each screen that anybody may find gets a
// page of its own, which differs in its head alone; robots.txt and the site map name them. All settled leagues have one
// between them, and all draws: it says no address, as each has its own, and search engines leave it out.
// Addresses are whole ones: upload puts the deployment's origin in the place of this one (infra/deploy/web.py).
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ORIGIN = "http://localhost:4000";
const NAME = "FPL Leagues";
const dist = process.argv[2] ?? "dist";
const TEMPLATE = "../template.yaml";

const TITLE = `${NAME}: weekly fantasy leagues of ten`;
const PREVIEW = { width: 1200, height: 630, alt: "Weekly fantasy leagues of ten. Join for KSh 50, 100 or 250." };
/** By path: title, description, and where it is another address of a page, that page's; null where it stands for many. */
const PAGES = {
  "/contact": ["Contact", "Help with payments, your wallet and your account: how to reach FPL Leagues."],
  "/forgot-password": ["Forgot password", "Have a link for a new password sent to your email."],
  "/gameweek": ["Gameweek News", "Deadlines, captains, transfers and chips: what decides a gameweek in the official fantasy game."],
  "/gameweeks/draw": ["How a gameweek was drawn", "The secret, the lists of entries and the public random number that made the leagues: anybody can make the draw again.", null],
  "/get-fpl-id": ["Find your FPL ID", "Where the number of your official fantasy team is, in three pictures."],
  "/leagues": ["Leagues", "The leagues of every gameweek: who plays whom, points, and what was paid."],
  "/leagues/settlement": ["How a league was paid", "One league’s official points, ranking, fee and prizes: the record that it was paid from, for anybody to check.", null],
  "/login": ["Log in", null, "/"],
  "/payment": ["Play", "This gameweek’s deadline, the rules, and what a league pays. Guests can look around."],
  "/privacy": ["Privacy", "What FPL Leagues keeps of you, what for, and for how long."],
  "/register": ["Create an account", "Sign up with your official fantasy team and join a weekly league of ten for KSh 50, 100 or 250."],
  "/responsible-play": ["Responsible play", "Keep it a game: for players of 18 years or older, with money that you can afford to lose."],
  "/signup": ["Create an account", null, "/register"],
  "/terms": ["Terms", "Who may play, how leagues are drawn and paid, the fee, and what happens when a gameweek is called off."],
  "/trust": ["Books for everybody", "What players’ wallets sum to, what M-Pesa holds, and how anybody checks a draw and their own balance."],
  "/tutorial": ["Find your FPL ID: the video", "Twenty seconds that show where the number of your official fantasy team is."],
};

checkPaths();
const built = readFileSync(join(dist, "index.html"), "utf8");
const home = once(built, /<meta name="description" content="([^"]+)"/)[1];
for (const [path, [title, description, canonical = path]] of Object.entries(PAGES)) {
  const said = description ?? PAGES[canonical]?.[1] ?? home;
  const file = join(dist, "pages", `${path}.html`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, withHead(`${title} · ${NAME}`, said, canonical));
}
writeFileSync(join(dist, "index.html"), withHead(TITLE, home, "/"));

const found = ["/", ...Object.keys(PAGES).filter((path) => PAGES[path].length === 2)];
writeFileSync(
  join(dist, "sitemap.xml"),
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${found.map((path) => `  <url><loc>${ORIGIN}${path}</loc></url>`).join("\n")}
</urlset>
`,
);
writeFileSync(
  join(dist, "robots.txt"),
  `User-agent: *
Disallow: /api/
Disallow: /cancel-withdrawal/
Disallow: /panel
Disallow: /reset-password

Sitemap: ${ORIGIN}/sitemap.xml
`,
);

function withHead(title, description, canonical) {
  const url = canonical && `${ORIGIN}${canonical}`;
  const tags = [
    ["name", "description", description],
    ["property", "og:type", "website"],
    ["property", "og:site_name", NAME],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ...(url ? [["property", "og:url", url]] : []),
    ["property", "og:image", `${ORIGIN}/preview.png`],
    ["property", "og:image:width", PREVIEW.width],
    ["property", "og:image:height", PREVIEW.height],
    ["property", "og:image:alt", PREVIEW.alt],
    ["name", "twitter:card", "summary_large_image"],
  ];
  const metas = tags.map(([kind, name, content]) => `<meta ${kind}="${name}" content="${content}" />`);
  // Names of players are for who has the link, not for who searches.
  const link = [url ? `<link rel="canonical" href="${url}" />` : '<meta name="robots" content="noindex" />'];
  const head = [`<title>${title}</title>`, ...metas, ...link].join("\n    ");
  const old = once(built, /\s*<meta name="description"[^>]*>/)[0];
  const titled = once(built, /<title>[^<]*<\/title>/)[0];
  return built.replace(old, "").replace(titled, head);
}

/** What stands in the page once. */
function once(page, pattern) {
  const all = [...page.matchAll(new RegExp(pattern, "g"))];
  if (all.length !== 1) throw new Error(`the page has ${all.length} times what ${pattern} says`);
  return all[0];
}

/** The distribution knows these paths by name. */
function checkPaths() {
  const [, list] = once(readFileSync(TEMPLATE, "utf8"), /const PAGES = \[([^\]]*)\]/);
  const known = list.split(",").map((path) => path.trim().replaceAll("'", ""));
  const here = Object.keys(PAGES);
  if (known.join() !== here.join()) {
    throw new Error(`PAGES of WebRewrite in functions/template-base.yaml is ${known.join()}, and has to be ${here.join()}`);
  }
}
