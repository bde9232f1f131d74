import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { clearEverything } from "../lib/session";
import { server } from "./server";

// A page's file is loaded when it is opened: on a busy machine that takes its time.
configure({ asyncUtilTimeout: 15_000 });

/** Calls that no test speaks of: a mistake in the test or in the app, or something sent that was not to be. */
const unspoken: string[] = [];
/** How many calls went out, and of how many it is known whether a test speaks of them. */
let sent = 0;
let known = 0;
server.events.on("request:match", () => void (known += 1));

/** What tests give to the browser that jsdom has not got. All files share one of each, so it goes with its test. */
const lent = [navigator, URL].map((thing) => ({ thing, own: new Set(Reflect.ownKeys(thing)) }));

beforeAll(() => {
  server.listen({
    onUnhandledRequest: ({ method, url }, print) => {
      known += 1;
      unspoken.push(`${method} ${url}`);
      print.error();
    },
  });
  const send = globalThis.fetch;
  globalThis.fetch = (...call) => {
    sent += 1;
    return send(...call);
  };
  actLikeABrowser();
});
beforeEach(() => {
  localStorage.clear();
  clearEverything();
  sessionStorage.clear();
});
afterEach(async () => {
  // A test that failed has not come to its own tidying up.
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const { thing, own } of lent)
    for (const key of Reflect.ownKeys(thing)) if (!own.has(key)) Reflect.deleteProperty(thing, key);
  // A call of the test's last step may not have been looked at; one that was given up never is.
  for (let turn = 0; known < sent && turn < 50; turn += 1) await new Promise(setImmediate);
  sent = known = 0;
  cleanup();
  server.resetHandlers();
  expect(unspoken.splice(0), "calls that no test speaks of").toEqual([]);
});
afterAll(() => server.close());

/** What jsdom has not got: modal dialogs, scrolling, and anything to draw between two tasks. */
function actLikeABrowser() {
  globalThis.MessageChannel = class {
    readonly port1 = { onmessage: () => undefined, close: () => undefined };
    readonly port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage()) };
  } as unknown as typeof MessageChannel;
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
  Element.prototype.scrollIntoView = () => undefined;
  window.scrollTo = () => undefined;
}
