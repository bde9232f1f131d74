/**
 * Keeps what the entry needs in one file. Left alone, the bundler cuts from it what lazy pages need too:
 * five requests before anything is seen, and small files compress worse than the whole.
 */
import { fileURLToPath } from "node:url";

type Context = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

const ENTRY = fileURLToPath(new URL("../src/main.tsx", import.meta.url));
let needed: Set<string> | undefined;

/** The modules that are loaded with the entry, without being asked for later. */
function neededBy(entry: string, context: Context): Set<string> {
  const found = new Set([entry]);
  for (const id of found) context.getModuleInfo(id)?.importedIds.forEach((imported) => found.add(imported));
  return found;
}

export const firstLoad = {
  debugName: "first load",
  name: (id: string, context: Context) => ((needed ??= neededBy(ENTRY, context)).has(id) ? "index" : null),
};
