/**
 * Which modules share a file. Left alone, the bundler cuts small pieces wherever two pages need the same: many
 * requests before anything is seen, and small files compress worse than the whole.
 */
import { fileURLToPath } from "node:url";

type Context = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** The modules that are loaded with these, without being asked for later. */
function neededBy(roots: readonly string[], context: Context): Set<string> {
  const found = new Set(roots.map(source));
  for (const id of found) context.getModuleInfo(id)?.importedIds.forEach((imported) => found.add(imported));
  return found;
}

/** What every screen needs, then what pages have in common with ones that anybody sees, then the rest of the main page. */
const FILES = [
  { name: "app", roots: ["app/root.tsx"] },
  { name: "frame", roots: ["app/layouts/Shell.tsx", "api/gameweek-status.ts", "components/Card.tsx", "components/Countdown.tsx", "components/Skeleton.tsx", "components/rich.tsx", "features/accounts/NewerTerms.tsx", "features/accounts/terms-versions.ts", "lib/fpl-id.ts", "lib/money.ts", "lib/plural.ts", "lib/projection.ts", "lib/time.ts"] },
  { name: "main", roots: ["app/Providers.tsx", "app/pages/PaymentPage.tsx", "components/ShowMore.tsx"] },
];

/** What the bundler brings files with, and the choice of the language: the entry has both, and would take the whole app with it where they live. */
const loading = {
  debugName: "loading",
  priority: FILES.length + 1,
  name: (id: string) => (id.includes("vite/preload-helper") || id === source("lib/language.ts") ? "loading" : null),
};

/** What an earlier one has, a later one does not: it would take its pieces from it. */
const shared = FILES.map(({ name, roots }, i) => {
  let modules: Set<string> | undefined;
  return {
    debugName: name,
    priority: FILES.length - i,
    name: (id: string, context: Context) => ((modules ??= neededBy(roots, context)).has(id) ? name : null),
  };
});

export const sharedFiles = [loading, ...shared];
