// Holds the packages of package-lock.json to what was agreed: each from the registry and held to its hash, on terms that
// fit; those that reach a browser on fewer of them. Needs no installation.
import { readFileSync } from "node:fs";

/** Ask for no more than the notice that the build writes (licenses.txt). */
const SHIPPED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);
/** What only builds and tests is passed on to nobody. */
const BUILDS = new Set([...SHIPPED, "BlueOak-1.0.0", "CC-BY-4.0", "CC0-1.0", "MIT-0", "MPL-2.0", "Python-2.0", "(MIT OR CC0-1.0)"]);
/** What packages say of themselves in older words, as their texts have it. */
const MEANT = { "node_modules/dialog-polyfill": "BSD-3-Clause" };
const REGISTRY = "https://registry.npmjs.org/";

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const names = Object.keys(packages).filter((name) => name !== "");
const wrong = names.flatMap((name) => {
  const { integrity, resolved, dev, link, hasInstallScript, license: said } = packages[name];
  const license = MEANT[name] ?? said;
  return [
    link && "is a link",
    !integrity?.startsWith("sha512-") && "has no SHA-512",
    resolved && !resolved.startsWith(REGISTRY) && `comes from ${resolved}`,
    !(dev ? BUILDS : SHIPPED).has(license) && `is under ${license ?? "no licence"}${dev ? "" : ", and reaches the browser"}`,
    hasInstallScript && !dev && "runs a script when it is installed",
  ]
    .filter(Boolean)
    .map((what) => `${name} ${what}`);
});
if (names.length === 0) wrong.push("package-lock.json names no package");

for (const line of wrong) console.error(line);
console.log(`${names.length} packages, ${wrong.length} not as agreed`);
process.exitCode = wrong.length > 0 ? 1 : 0;
