// After the build: tells `early.js` which files each screen needs beyond the entry's, names it by what is in it
// now, and puts what is needed soonest first into the page.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
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
const hurrying = readFileSync(join(dist, built), "utf8").replaceAll("__FILES_OF__", JSON.stringify(Object.fromEntries(screens)));
const hash = createHash("sha256").update(hurrying).digest("base64url").slice(0, 8);
const named = `assets/early-${hash}.js`;
writeFileSync(join(dist, built), hurrying);
renameSync(join(dist, built), join(dist, named));
manifest[SOURCE].file = named;
writeFileSync(MANIFEST, JSON.stringify(manifest, null, 2));

// The largest file is asked for first: it goes over the connection that the page came by, which is warm.
const page = readFileSync(PAGE, "utf8");
const charset = '<meta charset="utf-8" />';
const code = largestOf(manifest["index.html"].imports.map((key) => manifest[key].file));
const preload = `<link rel="modulepreload" crossorigin href="/${code}">`;
for (const needed of [charset, preload]) {
  if (!page.includes(needed)) throw new Error(`${PAGE} has no ${needed}`);
}
const early = `<script type="module" async crossorigin src="/${named}"></script>`;
writeFileSync(PAGE, page.replace(preload, "").replace(charset, [charset, preload, early].join("\n    ")));

function largestOf(files) {
  return files.toSorted((a, b) => statSync(join(dist, b)).size - statSync(join(dist, a)).size)[0];
}
