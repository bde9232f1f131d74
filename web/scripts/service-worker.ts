/** Tells the service worker which files to keep: those of the main screens, and the page that loads them. */
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const WORKER = "service-worker.js";
/** What only hurries: it is named after the build, and without a network there is nothing to hurry. */
const EARLY = "early";
/** The screens that open without a network. The login page is the entry itself. */
const SCREENS = ["main", "LeaguesPage", "StatusBars"];

/** What only its readers load: kept once it was asked for. */
const LANGUAGE = "swahili";

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
      const language = chunks.find(({ name }) => name === LANGUAGE);
      if (!language) return this.error(`${LANGUAGE} is not in the build`);
      const ofLanguage = [...filesOf(language.fileName, bundle)].filter((file) => !files.has(file)).map((file) => `/${file}`);
      const name = createHash("sha256").update([...kept, ...ofLanguage].join("\n")).digest("hex").slice(0, 12);
      worker.code = worker.code
        .replaceAll("__KEPT_FILES__", JSON.stringify(kept))
        .replaceAll("__KEPT_NAME__", JSON.stringify(`app-${name}`))
        .replaceAll("__LANGUAGE_FILES__", JSON.stringify(ofLanguage));
    },
  };
}
