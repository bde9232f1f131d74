/**
 * What the service worker answers for. Invariant: never for a call of the API, whoever's answer it is;
 * everything it does not know is the browser's and the network's own business.
 */

/** First parts of paths that belong to the server: no screen and no file of the app begins with one. */
const SERVERS = ["api", "hooks", "sim", "logout", "refresh", "current-gameweek", "healthz"];

export type Part = "screen" | "file" | "none";

type Asked = { method: string; mode: string; url: string };

/** `screen`: a page of the app. `file`: one that was kept, by its path in `kept`. `none`: not ours. */
export function partOf({ method, mode, url }: Asked, origin: string, kept: ReadonlySet<string>): Part {
  const { origin: askedOrigin, pathname } = new URL(url);
  if (method !== "GET" || askedOrigin !== origin) return "none";
  const [, first = ""] = pathname.split("/");
  if (SERVERS.includes(first)) return "none";
  if (kept.has(pathname)) return "file";
  // A path with a dot in its last part is a file, such as the tutorial.
  return mode === "navigate" && !pathname.slice(pathname.lastIndexOf("/")).includes(".") ? "screen" : "none";
}
