/**
 * Who is logged in on this device. The localStorage keys are the specification's (spec §3); `role` is
 * beside them because the server, not an email address, says who is an admin.
 * Invariant: nothing else in the app touches these keys.
 */
import { useSyncExternalStore } from "react";
import { clearAllButLanguage } from "./language";
import { keepingToldWins } from "./told-wins";

export type Session = {
  readonly token: string;
  readonly userId: string;
  readonly username: string;
  readonly fplId: string;
  readonly email: string;
  readonly role: string;
};

const SESSION_KEYS = ["token", "userId", "username", "fplId", "email", "role"] as const;
/** What belongs to a player and goes with the session. */
const PLAYER_KEYS = ["wallet", "entryAmount", "joinedLeague", "gameweek"] as const;

/** Who was logged in last on this device; it stays when a session ends, and goes with a log-out. */
const LAST_PLAYER = "lastPlayer";

const listeners = new Set<() => void>();
const expiryListeners = new Set<() => void>();
let snapshot: Session | null | undefined;
let ended = false;
let untold = false;
let acting = false;

const changed = () => {
  snapshot = undefined;
  listeners.forEach((listener) => listener());
};

/** The session on this device, or null. The same object until it changes. */
export function currentSession(): Session | null {
  if (snapshot === undefined) {
    const read = (key: string) => localStorage.getItem(key) ?? "";
    snapshot = read("token")
      ? {
          token: read("token"),
          userId: read("userId"),
          username: read("username"),
          fplId: read("fplId"),
          email: read("email"),
          role: read("role"),
        }
      : null;
  }
  return snapshot;
}

/** Logged in: the session is stored, and nobody is a guest any more. */
export function startSession(session: Session) {
  ended = false;
  localStorage.removeItem("isGuest");
  // Another player's, whose session may have ended without a log-out: neither balance, number nor what was typed is this one's.
  const before = localStorage.getItem(LAST_PLAYER);
  if (before !== session.userId) {
    for (const key of [...PLAYER_KEYS, "phone", "unanswered"]) localStorage.removeItem(key);
    sessionStorage.clear();
  }
  localStorage.setItem(LAST_PLAYER, session.userId);
  for (const key of SESSION_KEYS) localStorage.setItem(key, session[key]);
  changed();
}

/** A fresh token for the session that is here. Without one there is nobody to bear it. */
export function storeToken(token: string) {
  if (!currentSession()) return;
  localStorage.setItem("token", token);
  changed();
}

/** The account's team, for the session that is here: another one in a new season, or since it was changed. */
export function storeTeam(fplId: string) {
  if (!currentSession()) return;
  localStorage.setItem("fplId", fplId);
  changed();
}

/** Forgets the player; a guest stays a guest. */
export function forgetSession() {
  for (const key of [...SESSION_KEYS, ...PLAYER_KEYS]) localStorage.removeItem(key);
  changed();
}

/** The server no longer knows this session: forgets it and tells the app to say so. `act`: something was being done by it. */
export function expireSession(act = false) {
  if (currentSession()) tellEnd(act, forgetSession);
  else forgetSession();
}

function tellEnd(act: boolean, forget: () => void) {
  ended = untold = true;
  acting = act;
  forget();
  expiryListeners.forEach((listener) => listener());
}

/** Whether it was the server that ended the last session here, and nobody has come in since, in another tab neither. */
export const sessionWasEnded = () => ended && !currentSession();
/** Whether that is still to be said: once, to who asks first. */
export function takeUntoldEnd(): boolean {
  const is = sessionWasEnded() && untold;
  untold = false;
  return is;
}
/** Whether something was being done by it: of several steps some may have been taken. */
export const wasActing = () => acting;

/** Logging out: everything local is cleared (spec §7, §8), but for the language and which wins were told. */
export function clearEverything() {
  ended = false;
  keepingToldWins(clearAllButLanguage);
  sessionStorage.clear();
  changed();
}

export function enterAsGuest() {
  ended = false;
  // First, so that another tab knows why the session is gone.
  localStorage.setItem("isGuest", "true");
  forgetSession();
}

export const storeWallet = (kes: number) => localStorage.setItem("wallet", String(kes));

/** The balance as last seen on this device, in KES; null where none was. */
export function lastSeenWallet(): number | null {
  const text = localStorage.getItem("wallet");
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** What a join leaves behind (spec §4). */
export function storeJoin(entryAmount: number, gameweek: number) {
  localStorage.setItem("entryAmount", String(entryAmount));
  localStorage.setItem("joinedLeague", "true");
  localStorage.setItem("gameweek", String(gameweek));
}

/** Another tab logs in or out. A session that ended there leaves the last player: a log-out does not, and a guest is one by choice. */
function onStorage() {
  const before = snapshot;
  snapshot = undefined;
  const isEnded = before && !currentSession() && localStorage.getItem(LAST_PLAYER) && !localStorage.getItem("isGuest");
  if (isEnded) return tellEnd(false, changed);
  // Somebody came in or went on purpose: an end from before is not theirs.
  ended &&= !before && !currentSession() && !localStorage.getItem("isGuest");
  changed();
}

export function subscribe(listener: () => void) {
  window.addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", onStorage);
  };
}

export function onSessionExpired(listener: () => void) {
  expiryListeners.add(listener);
  return () => void expiryListeners.delete(listener);
}

export const useSession = () => useSyncExternalStore(subscribe, currentSession);
