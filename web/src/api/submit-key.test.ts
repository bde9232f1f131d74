import { expect, test, vi } from "vitest";
import { Refusal } from "./refusal";
import { SubmitKey } from "./submit-key";

/** Sends one body after another; `outcomes` say what comes back. Returns the keys that were sent. */
async function keysOf(sends: [body: unknown, outcome: Error | null][]) {
  const submit = new SubmitKey();
  const keys: string[] = [];
  for (const [body, outcome] of sends) {
    await submit
      .submit(body, (key) => {
        keys.push(key);
        return outcome ? Promise.reject(outcome) : Promise.resolve();
      })
      .catch(() => undefined);
  }
  return keys;
}
const A = { amount: 50 };
const B = { amount: 100 };
const NO_ANSWER = new TypeError("network");

test("a submit that got no answer is sent again under its key", async () => {
  const [first, second] = await keysOf([[A, NO_ANSWER], [A, null]]);
  expect(second).toBe(first);
});

test("an answered submit, a refused one and another body get a key of their own", async () => {
  expect(new Set(await keysOf([[A, null], [A, null]])).size).toBe(2);
  expect(new Set(await keysOf([[A, new Refusal(400, "No.")], [A, null]])).size).toBe(2);
  expect(new Set(await keysOf([[A, NO_ANSWER], [B, null]])).size).toBe(2);
});

test("a submit that is still under way (409 with Retry-After) keeps its key; another 409 is final", async () => {
  const [first, second] = await keysOf([[A, new Refusal(409, "Under way.", true)], [A, null]]);
  expect(second).toBe(first);
  expect(new Set(await keysOf([[A, new Refusal(409, "Already joined.")], [A, null]])).size).toBe(2);
});

test("a gateway's error is as good as no answer", async () => {
  const [first, second] = await keysOf([[A, new Refusal(504, null)], [A, null]]);
  expect(second).toBe(first);
});

test("who asks for the same long after an answer was lost wants another one", async () => {
  vi.useFakeTimers();
  const submit = new SubmitKey();
  const keys: string[] = [];
  const send = (outcome: Promise<void>) => submit.submit(A, (key) => (keys.push(key), outcome)).catch(() => undefined);
  await send(Promise.reject(NO_ANSWER));
  vi.advanceTimersByTime(9 * 60_000);
  await send(Promise.reject(NO_ANSWER));
  vi.advanceTimersByTime(11 * 60_000);
  await send(Promise.resolve());
  vi.useRealTimers();
  const [first, soon, later] = keys;
  expect(soon).toBe(first);
  expect(later).not.toBe(first);
});
