/**
 * Whether the site has another build by now than the one that this page runs: the page that would be loaded is asked
 * for and compared with this one by the scripts that it names, whose names change with what is in them. An old build
 * goes on working; whoever plays is told, and loads the new one when they like.
 */
import { useSyncExternalStore } from "react";
import { reloadPage } from "./page";
import { within } from "./within";

const EVERY_MS = 30 * 60_000;
const LIMIT_MS = 10_000;
/** When the page loaded itself again, so that it does not do so over and over. */
const RELOADED = "reloadedAt";
const RELOAD_AGAIN_MS = 5 * 60_000;

let isNew = false;
let askedAt = Date.now();
const listeners = new Set<() => void>();

/** False too where the page cannot be had, or what came is another network's page. */
async function isOutdated(): Promise<boolean> {
  const page = await within(LIMIT_MS, async (signal) => {
    const answer = await fetch("/", { cache: "no-cache", signal });
    return answer.ok ? answer.text() : "";
  }).catch(() => "");
  const own = [...document.scripts].filter(({ src }) => src).map(({ src }) => new URL(src).pathname);
  return page.includes('id="root"') && own.some((path) => !page.includes(path));
}

async function ask() {
  if (isNew || document.hidden || !navigator.onLine || Date.now() - askedAt < EVERY_MS) return;
  askedAt = Date.now();
  isNew = await isOutdated();
  if (isNew) listeners.forEach((listener) => listener());
}

/** A file that this page asks for is gone from the server with its build: once, the new page is loaded instead. */
async function onGone() {
  const last = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - last < RELOAD_AGAIN_MS || !(await isOutdated())) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  reloadPage();
}

/** Begins to look for a new build: now and then, and when the page is seen again; ends when it is called off. */
export function lookForNewVersion(): () => void {
  const onLook = () => void ask();
  const onLoss = () => void onGone();
  document.addEventListener("visibilitychange", onLook);
  window.addEventListener("vite:preloadError", onLoss);
  const timer = setInterval(onLook, EVERY_MS);
  return () => {
    document.removeEventListener("visibilitychange", onLook);
    window.removeEventListener("vite:preloadError", onLoss);
    clearInterval(timer);
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useNewVersion = () => useSyncExternalStore(subscribe, () => isNew);
