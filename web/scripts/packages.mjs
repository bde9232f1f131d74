// Holds the packages of the package-lock.json files that it is given to what was agreed: each from the registry and held to
// its hash, on terms that fit; those that are more than tools (and may reach a browser) on fewer of them. Needs no installation.
import { readFileSync } from "node:fs";

/** Ask for no more than the notice that the build writes (licenses.txt). */
const SHIPPED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);
/** What only builds and tests is passed on to nobody. */
const BUILDS = new Set([...SHIPPED, "BlueOak-1.0.0", "CC-BY-4.0", "CC0-1.0", "MIT-0", "MPL-2.0", "Python-2.0", "(MIT OR CC0-1.0)"]);
/** What packages say of themselves in older words, as their texts have it. */
const MEANT = { "node_modules/dialog-polyfill": "BSD-3-Clause" };
const REGISTRY = "https://registry.npmjs.org/";

const judged = process.argv.slice(2).map((file) => judge(file, JSON.parse(readFileSync(file, "utf8")).packages));
if (judged.length === 0) {
  console.error("usage: packages.mjs package-lock.json…");
  process.exitCode = 2;
}
if (judged.some((wrong) => wrong > 0)) process.exitCode = 1;

/** Says what is wrong in one lock. How much it is. */
function judge(file, packages) {
  const names = Object.keys(packages).filter((name) => name !== "");
  const wrong = names.flatMap((name) => found(name, packages[name]));
  if (names.length === 0) wrong.push("it names no package");
  for (const line of wrong) console.error(`${file}: ${line}`);
  console.log(`${file}: ${names.length} packages, ${wrong.length} not as agreed`);
  return wrong.length;
}

function found(name, { integrity, resolved, dev, link, hasInstallScript, license: said }) {
  const license = MEANT[name] ?? said;
  return [
    link && "is a link",
    !integrity?.startsWith("sha512-") && "has no SHA-512",
    resolved && !resolved.startsWith(REGISTRY) && `comes from ${resolved}`,
    !(dev ? BUILDS : SHIPPED).has(license) && `is under ${license ?? "no licence"}${dev ? "" : ", and is no tool"}`,
    hasInstallScript && !dev && "runs a script when it is installed",
  ]
    .filter(Boolean)
    .map((what) => `${name} ${what}`);
}
