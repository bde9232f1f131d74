/**
 * Notifications on a phone, against the whole local stack: a player turns them on, is told of each kind, and opens what it
 * points to. A browser without a screen reaches no push service, so the page is given a `PushManager` whose subscription
 * leads to the stack's own stand-in: the product seals and signs for it, the stand-in opens that as the phone would, and
 * what it shows is handed to the page's real service worker.
 */
import { expect, test, type APIRequestContext, type BrowserContext, type Page } from "@playwright/test";
import { CHROMIUM, launch } from "./browser";
import { ADMIN, logIn, newPerson, register, type Person } from "./steps";
import { World } from "./world";

test.use(launch(CHROMIUM));

type Notification = { kind: string; title: string; path: string; tag: string };
const HOUR = 3_600_000;

/** The page's `PushManager` subscribes at the stand-in. */
const subscribeAtTheStandIn = (page: Page) =>
  page.addInitScript(() => {
    const KEPT = "stand-in-subscription";
    const asSubscription = (told: { endpoint: string }, key: ArrayBuffer) => ({
      endpoint: told.endpoint,
      options: { applicationServerKey: key, userVisibleOnly: true },
      toJSON: () => told,
      unsubscribe: () => (localStorage.removeItem(KEPT), Promise.resolve(true)),
    });
    const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16)).buffer;
    const PushManagers = PushManager.prototype as unknown as Record<string, unknown>;
    PushManagers["getSubscription"] = () => {
      const kept = localStorage.getItem(KEPT);
      if (!kept) return Promise.resolve(null);
      const { told, key } = JSON.parse(kept) as { told: { endpoint: string }; key: string };
      return Promise.resolve(asSubscription(told, bytes(key)));
    };
    PushManagers["subscribe"] = async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      const key = [...applicationServerKey].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const body = JSON.stringify({ applicationServerKey: key, origin: location.origin });
      const told = (await (await fetch("/sim/api/push/phones", { method: "POST", body })).json()) as { endpoint: string };
      localStorage.setItem(KEPT, JSON.stringify({ told, key }));
      return asSubscription(told, bytes(key));
    };
  });

/** What of a service worker's globals is called here: the page's types do not have them. */
type WorkerScope = {
  registration: ServiceWorkerRegistration;
  dispatchEvent: (event: Event) => boolean;
  NotificationEvent: new (type: string, init: { notification: unknown }) => Event;
};

/** What the player's phone shows, oldest first. */
async function shownTo(page: Page, request: APIRequestContext): Promise<Notification[]> {
  const phone = await page.evaluate(() => (JSON.parse(localStorage.getItem("stand-in-subscription") ?? "{}") as { told: { phone: string } }).told.phone);
  const answer = await request.get(`/sim/api/push?phone=${phone}`);
  return ((await answer.json()) as { notification: Notification }[]).map(({ notification }) => notification).reverse();
}

/** Hands a push to the page's service worker, as the browser does. */
async function deliver(page: Page, context: BrowserContext, data: string) {
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const origin = new URL(page.url()).origin;
  await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
  await devtools.detach();
}

/** The title of the notification with this tag, once it is shown; null where it is not within five seconds. */
const titleShown = (page: Page, tag: string) =>
  page.evaluate(async (tag) => {
    const registration = await navigator.serviceWorker.ready;
    for (let look = 0; look < 25; look++) {
      const [shown] = await registration.getNotifications({ tag });
      if (shown) return shown.title;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return null;
  }, tag);

/** A token of the API's for somebody: one ends after fifteen minutes of the world's time. */
async function tokenOf(request: APIRequestContext, { email, password }: Pick<Person, "email" | "password">) {
  const answer = await request.post("/api/login", { data: { email, password } });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

test("a player turns notifications on, is told of each kind, and opens what it points to", async ({ page, context, request }) => {
  const world = new World(request);
  const who = newPerson("njoki");
  const call = async (method: string, path: string, data?: object, as: Pick<Person, "email" | "password"> = who) => {
    const headers = { authorization: `Bearer ${await tokenOf(request, as)}` };
    const answer = await request.fetch(path, { method, headers, ...(data && { data }) });
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json()) as Record<string, unknown>;
  };
  await context.grantPermissions(["notifications"]);
  await subscribeAtTheStandIn(page);
  await register(page, who);
  await logIn(page, who);

  await test.step("nothing is asked before the button; then all kinds are on, in the language that is chosen", async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Notifications" }).click();
    await expect(page.getByText("Notifications are off here.")).toBeVisible();
    await page.getByRole("button", { name: "Turn on on this phone" }).click();
    await expect(page.getByText("Notifications are on here.")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "I have won a prize" })).toBeChecked();
    // It changes when the server has said so: on a busy machine later than at the click.
    await page.getByRole("radio", { name: "Kiswahili" }).click();
    await expect(page.getByRole("radio", { name: "Kiswahili" })).toBeChecked();
    await page.reload();
    await expect(page.getByText("Notifications are on here.")).toBeVisible();
    await expect(page.getByRole("radio", { name: "Kiswahili" })).toBeChecked();
  });

  await test.step("a week goes by", async () => {
    const { gameweek, deadline } = await world.gameweek();
    const current = gameweek ?? 0;
    await call("POST", "/api/deposits", { phone: who.phone, amount: 110 });
    await world.approve(who.phone, 110);
    await expect.poll(async () => (await shownTo(page, request)).map(({ kind }) => kind)).toContain("payment");
    await call("POST", "/api/join-league", { fplId: who.fplId, entryAmount: 50, gameweek: current });
    await world.morePlayers(9, 50);
    await world.clockTo(new Date(Date.parse(deadline) + HOUR));
    await world.points(who.fplId, current, 150);
    await world.phase(current, "checked");
    await call("POST", "/api/gameweek/process-winners", { gameweek: current }, ADMIN);
    await world.clockTo(new Date((await world.now()).getTime() + HOUR / 6));
    const { _id } = await call("POST", "/api/withdraw", { mpesaNumber: who.phone, amount: 60 });
    await call("PUT", `/api/withdraw/${String(_id)}`, { status: "done" }, ADMIN);
    const next = await world.gameweek();
    await world.clockTo(new Date(Date.parse(next.deadline) - 2.9 * HOUR));
    await world.clockTo(new Date(Date.parse(next.deadline) - 2.5 * HOUR));
  });

  const kinds = ["deadline", "drawn", "final", "payment", "prize", "security", "withdrawal"];
  await expect.poll(async () => (await shownTo(page, request)).map(({ kind }) => kind).sort()).toEqual(kinds);
  await logIn(page, who);
  for (const notification of await shownTo(page, request)) {
    await test.step(`${notification.kind}: it is shown, and opens ${notification.path}`, async () => {
      await page.goto("/contact");
      // On a busy machine Chromium may lose one that is asked for while it is being shown.
      await expect(async () => {
        await deliver(page, context, JSON.stringify(notification));
        expect(await titleShown(page, notification.tag)).toBe(notification.title);
      }).toPass({ timeout: 60_000 });
      const worker = context.serviceWorkers()[0];
      await worker?.evaluate(async (tag) => {
        const scope = self as unknown as WorkerScope;
        const [notification] = await scope.registration.getNotifications({ tag });
        if (notification) scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
      }, notification.tag);
      await expect(page).toHaveURL((url) => url.pathname + url.search === notification.path);
    });
  }
});
