/** Tells the service worker which files to keep: those of the main screens, and the page that loads them. */
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const WORKER = "service-worker.js";
/** What only hurries: it is named after the build, and without a network there is nothing to hurry. */
const EARLY = "early";
/** The screens that open without a network. The login page is the entry itself. */
const SCREENS = ["main", "LeaguesPage", "StatusBars"];

/** What only some load, a language's readers and old browsers: kept once it was asked for. */
const FOR_SOME = ["swahili", "dialog-polyfill"];

type Bundle = Parameters<Extract<Plugin["generateBundle"], (...args: never[]) => unknown>>[1];

/** A chunk with everything that it brings along: imports, style sheets. */
function filesOf(name: string, bundle: Bundle, found = new Set<string>()): Set<string> {
  const file = bundle[name];
  if (found.has(name) || file?.type !== "chunk") return found;
  found.add(name);
  file.viteMetadata?.importedCss.forEach((sheet) => found.add(sheet));
  file.imports.forEach((imported) => filesOf(imported, bundle, found));
  return found;
}

export function keepFiles(): Plugin {
  return {
    name: "keep-files",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER];
      if (worker?.type !== "chunk") return this.error(`${WORKER} is not in the build`);
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const wanted = chunks.filter(
        ({ name, isEntry, fileName }) =>
          (isEntry && fileName !== WORKER && name !== EARLY) || SCREENS.includes(name),
      );
      const files = new Set(wanted.flatMap((chunk) => [...filesOf(chunk.fileName, bundle)]));
      const kept = ["/index.html", ...[...files].toSorted().map((file) => `/${file}`)];
      const some = FOR_SOME.flatMap((part) => {
        const chunk = chunks.find(({ name }) => name === part);
        return chunk ? [...filesOf(chunk.fileName, bundle)] : this.error(`${part} is not in the build`);
      });
      const forSome = some.filter((file) => !files.has(file)).map((file) => `/${file}`);
      const name = createHash("sha256").update([...kept, ...forSome].join("\n")).digest("hex").slice(0, 12);
      worker.code = worker.code
        .replaceAll("__KEPT_FILES__", JSON.stringify(kept))
        .replaceAll("__KEPT_NAME__", JSON.stringify(`app-${name}`))
        .replaceAll("__FILES_FOR_SOME__", JSON.stringify(forSome));
    },
  };
}
