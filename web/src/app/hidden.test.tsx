/** No poll runs while the page is hidden: data is prepaid. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { http } from "msw";
import { logInAs, openAt } from "../testing/app";
import { GAMEWEEK, json, server, url } from "../testing/server";

const TIMERS = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
let hidden = false;

beforeEach(() => {
  hidden = false;
  vi.useFakeTimers({ toFake: [...TIMERS], shouldAdvanceTime: true });
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => (hidden ? "hidden" : "visible"));
});

const setHidden = (is: boolean) => {
  hidden = is;
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("visibilitychange"));
};

test.each([
  ["/payment", "player", "Hello, wanjiru"],
  ["/leagues", "player", "Leagues - 50 Shs"],
  ["/panel", "admin", "What waits for you"],
] as const)("%s asks again while it is seen, and nothing for ten minutes while it is hidden", async (address, role, text) => {
  logInAs(role);
  const asked = vi.fn();
  server.events.on("request:start", asked);
  server.use(
    http.get(url("/api/me/payments"), () =>
      json([{ checkoutId: "c1", amount: 50, entryAmount: 50, entered: false, at: GAMEWEEK.now, state: "PENDING" }]),
    ),
  );
  openAt(address);
  await screen.findByText(text);
  await vi.advanceTimersByTimeAsync(1_000);
  const atFirst = asked.mock.calls.length;
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(atFirst);

  setHidden(true);
  // What was asked before is answered, which may be late on a busy machine, and may lead to one more.
  let before: number;
  do {
    before = asked.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1_000);
    for (let turn = 0; turn < 100; turn++) await new Promise((done) => setImmediate(done));
  } while (asked.mock.calls.length !== before);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked.mock.calls.length).toBe(before);

  setHidden(false);
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(before);
  server.events.removeListener("request:start", asked);
});
