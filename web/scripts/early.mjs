// After the build: tells `early.js` which files each screen needs beyond the entry's, names it by what is in it
// now, and puts it first into the page.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dist = process.argv[2] ?? "dist";
const MANIFEST = join(dist, ".vite/manifest.json");
const PAGE = join(dist, "index.html");
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

const entry = new Set(filesOf("index.html"));
const keyOf = (name) => Object.keys(manifest).find((key) => manifest[key].name === name);
const beyond = (name) => filesOf(keyOf(name)).filter((file) => !entry.has(file));
const screens = Object.entries(SCREENS).map(([path, name]) => [path, beyond(name).map((file) => `/${file}`)]);

const built = manifest[SOURCE].file;
const code = readFileSync(join(dist, built), "utf8").replaceAll("__FILES_OF__", JSON.stringify(Object.fromEntries(screens)));
const hash = createHash("sha256").update(code).digest("base64url").slice(0, 8);
const named = `assets/early-${hash}.js`;
writeFileSync(join(dist, built), code);
renameSync(join(dist, built), join(dist, named));
manifest[SOURCE].file = named;
writeFileSync(MANIFEST, JSON.stringify(manifest, null, 2));

const page = readFileSync(PAGE, "utf8");
const first = '<meta charset="utf-8" />';
if (!page.includes(first)) throw new Error(`${PAGE} does not begin as expected`);
writeFileSync(PAGE, page.replace(first, `${first}\n    <script type="module" async crossorigin src="/${named}"></script>`));
