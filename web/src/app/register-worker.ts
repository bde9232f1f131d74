/**
 * Has the browser keep the app for when there is no network. Only on the screens after log-in, and once the screen has
 * what it needs: a first visit to the login page costs nothing for it.
 */
import { installWorker } from "../lib/worker";

export function registerWorker() {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = () => installWorker().catch((error: unknown) => console.error(error));
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}
