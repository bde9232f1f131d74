/**
 * Whether to offer that the app is put on the phone's home screen. The browser's own offer comes early
 * and once, so it is caught at the start and kept. Who dismissed it is not asked again: a cookie, since
 * logging out clears the local storage.
 */
import { useSyncExternalStore } from "react";

/** `prompt`: the browser asks when we say so. `by-hand`: it can be done, and has to be explained. */
export type InstallOffer = "none" | "prompt" | "by-hand";

type InstallEvent = Event & { prompt: () => Promise<unknown> };

const DISMISSED = "install=dismissed";
const YEAR_SECONDS = 31_536_000;

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
const isPhone = () => isApple() || navigator.userAgent.includes("Android");
const isInstalled = () =>
  window.matchMedia("(display-mode: standalone)").matches || (navigator as { standalone?: boolean }).standalone === true;

let caught: InstallEvent | null = null;
let offer: InstallOffer = "none";
const listeners = new Set<() => void>();

function decide(next: InstallOffer) {
  offer = document.cookie.includes(DISMISSED) ? "none" : next;
  listeners.forEach((listener) => listener());
}

/** Begins to listen for the browser's offer; ends when it is called off. */
export function listenForInstall(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  if (isPhone() && !isInstalled()) {
    const onOffer = (event: Event) => {
      event.preventDefault();
      caught = event as InstallEvent;
      decide("prompt");
    };
    window.addEventListener("beforeinstallprompt", onOffer, { signal });
    window.addEventListener("appinstalled", () => decide("none"), { signal });
    if (isApple()) decide("by-hand");
  }
  return () => listening.abort();
}

/** Has the browser ask. Its offer is good once, whatever the answer. */
export async function install() {
  const event = caught;
  caught = null;
  decide("none");
  await event?.prompt();
}

export function dismissInstall() {
  document.cookie = `${DISMISSED}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax`;
  decide("none");
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useInstallOffer = () => useSyncExternalStore(subscribe, () => offer);
