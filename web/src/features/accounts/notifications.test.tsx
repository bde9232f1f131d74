import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { describe, expect, test, vi } from "vitest";
import { logInAs, openAt } from "../../testing/app";
import { gate } from "../../testing/gate";
import { fastTimers, user } from "../../testing/prompts";
import { json, noAnswer, server, told, url } from "../../testing/server";
import { goOn } from "./phone";

const PUSH_KEY = "04ab";
const off = { deadline: false, drawn: false, final: false, payment: false, prize: false, security: false, withdrawal: false };
const SET = { language: "en", push: off, mail: { deadline: false, drawn: false, final: false }, subscriptions: [], pushKey: PUSH_KEY };

/** The page over an account that keeps what it is told. Answers what was sent. */
function open(set: object = SET) {
  const sent: { push: object; mail: object; language?: string }[] = [];
  let kept = set as typeof SET;
  server.use(
    http.get(url("/api/me/notifications"), () => json(kept)),
    http.put(url("/api/me/notifications"), async ({ request }) => {
      const change = (await request.json()) as (typeof sent)[number];
      sent.push(change);
      kept = { ...kept, ...change, push: { ...kept.push, ...change.push }, mail: { ...kept.mail, ...change.mail } };
      return json(kept);
    }),
  );
  logInAs("player");
  openAt("/notifications");
  return sent;
}
const part = async (name: string) => within(await screen.findByRole("region", { name }));

describe("the page of notifications", () => {
  test("one box changes one kind on one way, and the language is the account's", async () => {
    const sent = open();
    await userEvent.click((await part("On your phones")).getByRole("checkbox", { name: "I have won a prize" }));
    expect(await (await part("On your phones")).findByRole("checkbox", { name: "I have won a prize", checked: true })).toBeInTheDocument();
    await userEvent.click((await part("By mail")).getByRole("checkbox", { name: "The league that I am drawn into" }));
    expect(await (await part("By mail")).findByRole("checkbox", { name: "The league that I am drawn into", checked: true })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "Kiswahili" }));
    expect(await screen.findByRole("radio", { name: "Kiswahili", checked: true })).toBeInTheDocument();
    expect(sent).toEqual([
      { push: { prize: true }, mail: {} },
      { push: {}, mail: { drawn: true } },
      { push: {}, mail: {}, language: "sw" },
    ]);
  });

  test("what is about money or security has no box for mails", async () => {
    open();
    expect((await part("By mail")).getAllByRole("checkbox")).toHaveLength(3);
    expect(screen.getByText("Mails about prizes, refunds, withdrawals, corrections and security are always sent.")).toBeInTheDocument();
  });

  test("who is told of a deadline has been in a league: the box says so", async () => {
    open();
    for (const way of ["On your phones", "By mail"]) {
      expect((await part(way)).getByRole("checkbox", { name: /I am not in \(only after my first league\)$/ })).toBeInTheDocument();
    }
  });

  test("the focus stays on the box that was ticked", async () => {
    open();
    const saved = gate<Response>();
    server.use(http.put(url("/api/me/notifications"), () => saved.wait()));
    const box = (await part("On your phones")).getByRole("checkbox", { name: "I have won a prize" });
    await userEvent.click(box);
    await saved.asked;
    expect(box).toHaveFocus();
    // A disabled one loses it.
    expect(box).toBeEnabled();
    saved.open(json({ ...SET, push: { ...off, prize: true } }));
    await vi.waitFor(() => expect(box).toBeChecked());
    expect(box).toHaveFocus();
  });

  test("what could not be saved stays as it is, and is said", async () => {
    open();
    server.use(http.put(url("/api/me/notifications"), () => told(503, "Something went wrong.")));
    await userEvent.click((await part("On your phones")).getByRole("checkbox", { name: "I have won a prize" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("It could not be saved just now. Please try again.");
    expect((await part("On your phones")).getByRole("checkbox", { name: "I have won a prize" })).not.toBeChecked();
  });
});

describe("this phone", () => {
  const ENDPOINT = "https://push.example/1";
  /** A browser that can have pushes; the person answers its question so. */
  function browser(answer: NotificationPermission, subscribed = false) {
    const made = {
      endpoint: ENDPOINT,
      options: { applicationServerKey: Uint8Array.from([4, 0xab]).buffer },
      toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: () => ((subscription = null), Promise.resolve(true)),
    };
    let subscription: object | null = subscribed ? made : null;
    const subscribe = vi.fn(() => Promise.resolve((subscription = made)));
    const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription), subscribe } };
    const serviceWorker = {
      ready: Promise.resolve(registration) as Promise<unknown>,
      getRegistration: () => Promise.resolve(registration),
      register: () => Promise.resolve<unknown>(registration),
    };
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
    vi.stubGlobal("PushManager", class {});
    const notification = {
      permission: subscribed ? "granted" : "default",
      requestPermission: () => Promise.resolve((notification.permission = answer)),
    };
    vi.stubGlobal("Notification", notification);
    return { subscribe, serviceWorker, notification };
  }

  test("is asked when the button is pressed, with our key; then all kinds are on", async () => {
    const { subscribe } = browser("granted");
    const posted: unknown[] = [];
    server.use(
      http.post(url("/api/me/push-subscriptions"), async ({ request }) => {
        posted.push(await request.json());
        return json({ _id: "1" }, { status: 201 });
      }),
    );
    const sent = open();
    expect(await screen.findByText("Notifications are off here.")).toBeInTheDocument();
    expect(subscribe).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Turn on on this phone" }));
    expect(await screen.findByText("Notifications are on here.")).toBeInTheDocument();
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: Uint8Array.from([4, 0xab]) });
    expect(posted).toEqual([{ endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" } }]);
    expect(Object.values(sent[0]?.push ?? {})).toEqual(Array(7).fill(true));
  });

  test.each([
    ["mine", true],
    ["somebody else's", false],
  ])("whose pushes are %s goes along with a new log-in only where they are mine", async (_whose, mine) => {
    browser("granted", true);
    logInAs("player");
    const posted = vi.fn();
    const id = [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ENDPOINT))).slice(0, 16)];
    const _id = mine ? id.map((byte) => byte.toString(16).padStart(2, "0")).join("") : "0";
    const read = vi.fn();
    server.use(
      http.get(url("/api/me/notifications"), () => (read(), json({ ...SET, subscriptions: [{ _id, at: "2026-08-20T09:00:00Z" }] }))),
      http.post(url("/api/me/push-subscriptions"), () => (posted(), json({ _id }, { status: 201 }))),
    );
    await goOn();
    expect(read).toHaveBeenCalledOnce();
    expect(posted).toHaveBeenCalledTimes(mine ? 1 : 0);
  });

  test("that does not allow it says how to", async () => {
    const { subscribe } = browser("denied");
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Turn on on this phone" }));
    expect(await screen.findByText(/^This browser does not let us show notifications/)).toBeInTheDocument();
    expect(subscribe).not.toHaveBeenCalled();
  });

  test("whose question was put away can be asked again", async () => {
    browser("default");
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Turn on on this phone" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Your browser asks whether we may show notifications\./);
    expect(screen.queryByText(/^This browser does not let us/)).not.toBeInTheDocument();
    expect(await screen.findByRole("button", { name: "Turn on on this phone" })).toBeEnabled();
  });

  test("that was allowed in the browser's settings meanwhile is looked at again", async () => {
    const { notification } = browser("denied");
    notification.permission = "denied";
    open();
    expect(await screen.findByText(/^This browser does not let us show notifications/)).toBeInTheDocument();
    notification.permission = "granted";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await screen.findByRole("button", { name: "Turn on on this phone" })).toBeInTheDocument();
  });

  test.each<[string, (worker: ReturnType<typeof browser>["serviceWorker"]) => void]>([
    ["cannot be had", (worker) => (worker.register = () => Promise.reject(new Error("no network")))],
    ["is never ready", (worker) => (worker.ready = new Promise(() => {}))],
  ])("whose service worker %s says so, and can be asked again", async (_what, breaks) => {
    fastTimers();
    const { serviceWorker, subscribe } = browser("granted");
    breaks(serviceWorker);
    open();
    await user().click(await screen.findByRole("button", { name: "Turn on on this phone" }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await screen.findByRole("alert")).toHaveTextContent("It could not be saved just now. Please try again.");
    expect(screen.getByRole("button", { name: "Turn on on this phone" })).toBeEnabled();
    expect(subscribe).not.toHaveBeenCalled();
  });

  test.each([
    ["is told", () => new HttpResponse(null, { status: 204 })],
    ["cannot be told", noAnswer],
  ])("is off once nothing comes here any more, also where the server %s", async (_what, answer) => {
    browser("granted", true);
    const id = [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(ENDPOINT))).slice(0, 16)];
    const _id = id.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    server.use(http.delete(url(`/api/me/push-subscriptions/${_id}`), answer));
    open({ ...SET, subscriptions: [{ _id, at: "2026-08-20T09:00:00Z" }] });
    await userEvent.click(await screen.findByRole("button", { name: "Turn off on this phone" }));
    expect(await screen.findByText("Notifications are off here.")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  test("an iPhone's browser says that only the installed app gets them", async () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)");
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
    open();
    expect(await screen.findByText(/^On an iPhone or iPad notifications come only to the installed app/)).toBeInTheDocument();
    vi.restoreAllMocks();
  });
});

describe("the link that stops mails", () => {
  const LINK = "/api/unsubscribe/abc";

  test("stops nothing before the button is pressed, and wants no log-in", async () => {
    let stopped = 0;
    server.use(http.post(url(LINK), () => ((stopped += 1), json({ kind: "drawn" }))));
    openAt("/unsubscribe/abc");
    const button = await screen.findByRole("button", { name: "Stop these mails" });
    expect(stopped).toBe(0);
    await userEvent.click(button);
    expect(await screen.findByText("We do not mail you after the draw any more.")).toBeInTheDocument();
    expect(stopped).toBe(1);
  });

  test("that is none of ours says so", async () => {
    server.use(http.post(url(LINK), () => told(400, "Invalid or expired link.")));
    openAt("/unsubscribe/abc");
    await userEvent.click(await screen.findByRole("button", { name: "Stop these mails" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Invalid or expired link.");
  });
});
