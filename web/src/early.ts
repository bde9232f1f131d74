/**
 * Begins what the start waits for while the app's code is still on its way: the silent refresh, and the files of
 * the screen that the address names. A file of its own, so small that it comes long before; it imports nothing,
 * and nothing depends on its having run.
 */
declare global {
  /** The refresh's answer to come, null inside where none came; null itself once the app has taken it. */
  var begunRefresh: Promise<Response | null> | null | undefined;
}

/** Put in after the build (`scripts/early.mjs`): by path, the files that its screen needs beyond the entry's. */
declare const __FILES_OF__: Readonly<Record<string, readonly string[]>>;

if (globalThis.begunRefresh === undefined) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 30_000);
  globalThis.begunRefresh = fetch("/refresh", { method: "POST", credentials: "same-origin", signal: limit.signal })
    // The body is within the limit too.
    .then(async (answer) => new Response(await answer.text(), answer))
    .catch(() => null)
    .finally(() => clearTimeout(timer));
}

for (const file of __FILES_OF__[location.pathname] ?? []) {
  const link = document.createElement("link");
  const isStyle = file.endsWith(".css");
  link.rel = isStyle ? "preload" : "modulepreload";
  if (isStyle) link.as = "style";
  link.crossOrigin = "";
  link.href = file;
  document.head.append(link);
}

export {};
