// After the build: tells `early.js` which files each screen needs beyond the entry's, names it by what is in it
// now, and puts what is needed soonest first into the page.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = process.argv[2] ?? "dist";
const MANIFEST = join(dist, ".vite/manifest.json");
const PAGE = join(dist, "index.html");
const TEMPLATE = "../template.yaml";
const TEMPLATE_BASE = "../functions/template-base.yaml";
const SOURCE = "src/early.ts";
/** The screens that people open the app with, and the file that each is in (`shared-files.ts`). */
const SCREENS = { "/payment": "main", "/checkout-wallet": "main", "/leagues": "LeaguesPage", "/panel": "PanelPage" };

const manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));

function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build`);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((other) => filesOf(other, seen))];
}

const keyOf = (name) => Object.keys(manifest).find((key) => manifest[key].name === name);
/** What every screen needs: the entry brings it by itself, but only once it has come. */
const app = filesOf(keyOf("app"));
const everywhere = new Set([...filesOf("index.html"), ...app]);
const beyond = (name) => filesOf(keyOf(name)).filter((file) => !everywhere.has(file));
const screens = Object.entries(SCREENS).map(([path, name]) => [path, beyond(name).map((file) => `/${file}`)]);

const built = manifest[SOURCE].file;
const hurrying = readFileSync(join(dist, built), "utf8").replaceAll("__FILES_OF__", JSON.stringify(Object.fromEntries(screens)));
const hash = createHash("sha256").update(hurrying).digest("base64url").slice(0, 8);
const named = `assets/early-${hash}.js`;
writeFileSync(join(dist, built), hurrying);
renameSync(join(dist, built), join(dist, named));
manifest[SOURCE].file = named;
writeFileSync(MANIFEST, JSON.stringify(manifest, null, 2));

// In the order in which they are asked for: the largest first, over the connection that the page came by, which is
// warm. The style sheet is only fetched: the entry puts it in, and what the page shows by itself does not wait for it.
const page = readFileSync(PAGE, "utf8");
allowStyles(page);
const charset = '<meta charset="utf-8" />';
if (!page.includes(charset)) throw new Error(`${PAGE} has no ${charset}`);
if (page.includes('rel="stylesheet"')) throw new Error(`${PAGE} waits for a style sheet before it paints`);
const early = `<script type="module" async crossorigin src="/${named}"></script>`;
const hints = app.map((file) =>
  file.endsWith(".css")
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`,
);
const asked = [charset, hints[0], early, ...hints.slice(1).filter((hint) => !page.includes(hint))];
writeFileSync(PAGE, page.replace(charset, asked.join("\n    ")));

/** The page's own styles are written in it, which the site's policy allows by their hash alone. */
function allowStyles(html) {
  const [, styles] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  if (!styles) throw new Error(`${PAGE} has no styles of its own`);
  const allowed = `'sha256-${createHash("sha256").update(styles).digest("base64")}'`;
  if (readFileSync(TEMPLATE, "utf8").includes(allowed)) return;
  throw new Error(`style-src in ${TEMPLATE_BASE} needs ${allowed}, and ${TEMPLATE} to be made again`);
}
