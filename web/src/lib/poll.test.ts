import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { poll } from "./poll";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => setHidden(false));

function setHidden(hidden: boolean) {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

function polling(answers: (string | Error | null)[]) {
  const ask = vi.fn(() => {
    const answer = answers.shift() ?? null;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const control = new AbortController();
  const result = poll({ ask, everyMs: 5_000, attempts: 12, signal: control.signal });
  return { ask, result, control };
}

test("asks every 5 s until the answer is final (spec section 4)", async () => {
  const { ask, result } = polling([null, new Error("offline"), "SUCCESS"]);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ask).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe("SUCCESS");
});

test("gives up after 12 questions (spec sections 4 and 9)", async () => {
  const { ask, result } = polling([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await result).toBeNull();
  expect(ask).toHaveBeenCalledTimes(12);
});

test("hidden time does not count and is not asked in; on return it asks at once", async () => {
  const { ask, result } = polling([null, null, "SUCCESS"]);
  await vi.advanceTimersByTimeAsync(7_000);
  setHidden(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(1);
  setHidden(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledTimes(2);
  // Two of the five seconds had passed before it was hidden.
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await result).toBe("SUCCESS");
});

test("returns are not among the 12", async () => {
  const { ask, result } = polling([]);
  for (let i = 0; i < 20; i += 1) {
    setHidden(true);
    setHidden(false);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(ask).toHaveBeenCalledTimes(20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await result).toBeNull();
  expect(ask).toHaveBeenCalledTimes(32);
});

test("an answer that does not come counts as none after ten seconds: 12 of them end in three minutes", async () => {
  const signals: AbortSignal[] = [];
  const ask = vi.fn((asking: AbortSignal) => {
    signals.push(asking);
    return new Promise<string | null>(() => undefined);
  });
  const result = poll({ ask, everyMs: 5_000, attempts: 12, signal: new AbortController().signal });
  await vi.advanceTimersByTimeAsync(14_999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(5_001);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(160_000);
  expect(await result).toBeNull();
  expect(ask).toHaveBeenCalledTimes(12);
});

test("when aborted it gives up the question that runs", async () => {
  const control = new AbortController();
  let asking: AbortSignal | undefined;
  const ask = (signal: AbortSignal) => {
    asking = signal;
    return new Promise<string | null>(() => undefined);
  };
  const result = poll({ ask, everyMs: 5_000, signal: control.signal });
  await vi.advanceTimersByTimeAsync(5_000);
  control.abort();
  expect(await result).toBeNull();
  expect(asking?.aborted).toBe(true);
});

test("ends when aborted", async () => {
  const { ask, result, control } = polling([]);
  control.abort();
  expect(await result).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).not.toHaveBeenCalled();
});
