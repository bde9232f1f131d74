/** This browser's pushes: whether it can have any, whether it does, and turning them on and off. */
import { api } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { installWorker } from "../../lib/worker";

/**
 * `apple-tab`: on an iPhone or iPad only the app on the home screen gets pushes. `denied`: the person has said no to the
 * browser, which asks only once.
 */
export type PhoneState = "none" | "apple-tab" | "denied" | "off" | "on";

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
const isInstalled = () => window.matchMedia("(display-mode: standalone)").matches;

const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const READY_MS = 20_000;

const registered = async () => navigator.serviceWorker.getRegistration();

/** The id that the server gives an endpoint. */
async function idOf(endpoint: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `known`: the ids of the browsers that the player's pushes go to. */
export async function phoneState(known: readonly string[]): Promise<PhoneState> {
  if (!canPush()) return isApple() && !isInstalled() ? "apple-tab" : "none";
  if (Notification.permission === "denied") return "denied";
  const subscription = await (await registered())?.pushManager.getSubscription();
  return subscription && known.includes(await idOf(subscription.endpoint)) ? "on" : "off";
}

/** `false` where the person does not allow it, or has put the question away. */
export async function turnOn(pushKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await worker();
  const key = Uint8Array.from(pushKey.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  // One that was made with another key of ours gets nothing any more.
  const old = await pushManager.getSubscription();
  if (old && !isSame(old.options.applicationServerKey, key)) await old.unsubscribe();
  await tell(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return true;
}

/** Installs it again where its files could not be had when the page came: nobody is ever told that it will not be ready. */
async function worker(): Promise<ServiceWorkerRegistration> {
  await installWorker();
  return new Promise((resolve, reject) => {
    void navigator.serviceWorker.ready.then(resolve);
    setTimeout(() => reject(new Error("the service worker is not ready")), READY_MS);
  });
}

async function tell(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint: endpoint ?? "", keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" } };
  await answerOf(api.POST("/api/me/push-subscriptions", { body }));
}

/** After a log-in: where this browser's pushes are this player's already, they go along with the new session, and end with it. */
export async function goOn(): Promise<void> {
  if (!canPush() || Notification.permission !== "granted") return;
  const subscription = await (await registered())?.pushManager.getSubscription();
  if (!subscription) return;
  const { subscriptions } = await answerOf(api.GET("/api/me/notifications"));
  const id = await idOf(subscription.endpoint);
  if (subscriptions.some(({ _id }) => _id === id)) await tell(subscription);
}

/** Ends this browser's subscription, and answers its endpoint: the server finds out when it next has something to say. */
export async function forget(): Promise<string | null> {
  if (!canPush()) return null;
  const subscription = await (await registered())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  return subscription?.endpoint ?? null;
}

/** First here, so that nothing comes any more whatever the server says. */
export async function turnOff(): Promise<void> {
  const endpoint = await forget();
  if (!endpoint) return;
  const id = await idOf(endpoint);
  const told = answerOf(api.DELETE("/api/me/push-subscriptions/{id}", { params: { path: { id } } }));
  await told.catch((error: unknown) => console.error("the server still has this browser's subscription", error));
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at]);
}
