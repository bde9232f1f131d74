/**
 * What a push shows, as the server says it. Invariant: whatever comes, something is shown (a browser takes the permission
 * away from who shows nothing), and what opens is a page of this app.
 */

export type Shown = { title: string; body: string; path: string; tag: string; lang: string; ringsUntil: number };

const HOME = "/payment";
const UNREAD: Shown = { title: "FPL Leagues", body: "", path: HOME, tag: "unread", lang: "en", ringsUntil: 0 };

export function shownIn(text: string | undefined): Shown {
  let told: unknown;
  try {
    told = JSON.parse(text ?? "");
  } catch {
    return UNREAD;
  }
  if (typeof told !== "object" || told === null) return UNREAD;
  const { ringsUntil } = told as Record<string, unknown>;
  const of = (name: Exclude<keyof Shown, "ringsUntil">) => {
    const value = (told as Record<string, unknown>)[name];
    return typeof value === "string" && value !== "" ? value : UNREAD[name];
  };
  return {
    title: of("title"),
    body: of("body"),
    path: pageOf(of("path")),
    tag: of("tag"),
    lang: of("lang"),
    ringsUntil: typeof ringsUntil === "number" ? ringsUntil : 0,
  };
}

const KENYA_HOURS_AHEAD = 3;
const QUIET_FROM = 22;
const QUIET_TO = 7;

/**
 * Whether a phone makes no noise: it was reached at night only, with what was sent before. What its player waits for
 * rings until `ringsUntil` (milliseconds since 1970).
 */
export function isSilent(now: number, ringsUntil: number): boolean {
  const hour = (new Date(now).getUTCHours() + KENYA_HOURS_AHEAD) % 24;
  return (hour >= QUIET_FROM || hour < QUIET_TO) && now >= ringsUntil;
}

/** A path of this origin: an address of another one is not followed. Browsers read addresses without tabs and line breaks. */
export function pageOf(path: unknown): string {
  return typeof path === "string" && /^\/(?![/\\])[^\t\n\r]*$/.test(path) ? path : HOME;
}
