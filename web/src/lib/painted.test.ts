import { beforeEach, expect, test, vi } from "vitest";
import { painted } from "./painted";

let report: (names: string[]) => void;

class Paints {
  static supportedEntryTypes = ["paint"];
  constructor(seen: (list: { getEntriesByName: (name: string) => string[] }) => void) {
    report = (names) => seen({ getEntriesByName: (name) => names.filter((other) => other === name) });
  }
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("PerformanceObserver", Paints);
});

/** Whether it has come, now. */
async function asked() {
  let come = false;
  void painted().then(() => (come = true));
  await Promise.resolve();
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return come;
  };
}

test("the app waits for the paint of what the page brings", async () => {
  const isThere = await asked();
  report(["first-paint"]);
  expect(await isThere()).toBe(false);
  report(["first-paint", "first-contentful-paint"]);
  expect(await isThere()).toBe(true);
});

test("a browser that reports no paint is waited for half a second", async () => {
  const isThere = await asked();
  await vi.advanceTimersByTimeAsync(499);
  expect(await isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isThere()).toBe(true);
});

test("a page in the background paints nothing, and is not waited for", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  expect(await (await asked())()).toBe(true);
});

test("nor is a browser that cannot say", async () => {
  Paints.supportedEntryTypes = [];
  expect(await (await asked())()).toBe(true);
  Paints.supportedEntryTypes = ["paint"];
});
