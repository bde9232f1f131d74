/**
 * What a push shows, as the server says it. Invariant: whatever comes, something is shown (a browser takes the permission
 * away from who shows nothing), and what opens is a page of this app.
 */

export type Shown = { title: string; body: string; path: string; tag: string; lang: string };

const HOME = "/payment";
const UNREAD: Shown = { title: "FPL Leagues", body: "", path: HOME, tag: "unread", lang: "en" };

export function shownIn(text: string | undefined): Shown {
  let told: unknown;
  try {
    told = JSON.parse(text ?? "");
  } catch {
    return UNREAD;
  }
  if (typeof told !== "object" || told === null) return UNREAD;
  const of = (name: keyof Shown) => {
    const value = (told as Record<string, unknown>)[name];
    return typeof value === "string" && value !== "" ? value : UNREAD[name];
  };
  return { title: of("title"), body: of("body"), path: pageOf(of("path")), tag: of("tag"), lang: of("lang") };
}

/** A path of this origin: an address of another one is not followed. */
export function pageOf(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : HOME;
}
