import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { clearEverything } from "../lib/session";
import { server } from "./server";

// A page's file is loaded when it is opened: on a busy machine that takes its time.
configure({ asyncUtilTimeout: 4_000 });

beforeAll(() => {
  // A call that no test speaks of is a mistake in the test or in the app.
  server.listen({ onUnhandledRequest: "error" });
  actLikeABrowser();
});
beforeEach(() => {
  clearEverything();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

/** What jsdom has not got: modal dialogs, and scrolling. */
function actLikeABrowser() {
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
