/// <reference lib="webworker" />
/**
 * Shows what is pushed, and opens what it points to. Opens the app without a network: keeps the files of the main screens of this build, and one page for all
 * screens. Pages come from the network first, so that nobody plays an old build while there is one.
 */
import { isSilent, pageOf, shownIn } from "./push";
import { partOf } from "./rules";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: the paths that are kept, and a name that changes with them. */
declare const __KEPT_FILES__: readonly string[];
declare const __KEPT_NAME__: string;
/** What only some browsers and readers ask for: kept once they have. */
declare const __FILES_FOR_SOME__: readonly string[];

const PAGE = "/index.html";
const FOR_SOME = new Set(__FILES_FOR_SOME__);
const KEPT = new Set([...__KEPT_FILES__, ...__FILES_FOR_SOME__]);
/** A network that is slower than this to bring a page of half a kilobyte is as good as none. */
const PAGE_MS = 4_000;

self.addEventListener("install", (event) => {
  // Files with a hash in their name come from the browser's own cache, where they mostly are.
  event.waitUntil(caches.open(__KEPT_NAME__).then((cache) => cache.addAll(__KEPT_FILES__)));
});

self.addEventListener("activate", (event) => {
  const old = async () => (await caches.keys()).filter((name) => name !== __KEPT_NAME__);
  event.waitUntil(
    old()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const part = partOf(event.request, self.location.origin, KEPT);
  if (part === "file") event.respondWith(keptOr(event.request.url, () => fetched(event.request)));
  if (part === "screen") event.respondWith(page(event.request));
});

self.addEventListener("push", (event) => {
  const { title, body, path, tag, lang, ringsUntil } = shownIn(event.data?.text());
  const silent = isSilent(Date.now(), ringsUntil);
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, lang, silent, icon: "/icons/192.png", data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(pageOf((event.notification.data as { path?: unknown } | null)?.path)));
});

/** In the tab that is there, or in a new one. */
async function open(path: string) {
  const [tab] = await self.clients.matchAll({ type: "window" });
  if (!tab) return void (await self.clients.openWindow(path));
  // A browser that does not bring it to the front opens the page all the same.
  await tab.focus().catch((error: unknown) => console.error(error));
  await tab.navigate(path);
}

async function keptOr(url: string, otherwise: () => Promise<Response>): Promise<Response> {
  const cache = await caches.open(__KEPT_NAME__);
  return (await cache.match(url, { ignoreSearch: true, ignoreVary: true })) ?? otherwise();
}

async function fetched(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (answer.ok && FOR_SOME.has(new URL(request.url).pathname)) await (await caches.open(__KEPT_NAME__)).put(request, answer.clone());
  return answer;
}

/** Once all of it is there: one that stops midway would leave the screen empty. */
async function whole(answer: Response): Promise<Response> {
  await answer.clone().text();
  return answer;
}

async function page(request: Request): Promise<Response> {
  const fromNetwork = fetch(request).then(whole);
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PAGE_MS));
  const answer = await Promise.race([fromNetwork, late]).catch(() => null);
  return answer ?? keptOr(PAGE, () => fromNetwork);
}
