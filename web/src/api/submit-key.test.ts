import { describe, expect, test, vi } from "vitest";
import { Refusal } from "./refusal";
import { DAY_MS, SubmitKey } from "./submit-key";

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

describe("one that is known to the player's other pages", () => {
  /** Sends A from a page of its own, which has just been opened. Answers the key. */
  async function sendAnew(outcome: Error | null, page = new SubmitKey("withdraw", DAY_MS), body: object = A) {
    let sent = "";
    await page.submit(body, (key) => ((sent = key), outcome ? Promise.reject(outcome) : Promise.resolve())).catch(() => undefined);
    return sent;
  }
  const HOUR_MS = 60 * 60_000;

  test("is the same on all of them until it is answered: then the next is another one", async () => {
    const first = await sendAnew(NO_ANSWER);
    expect(await sendAnew(NO_ANSWER)).toBe(first);
    expect(await sendAnew(null)).toBe(first);
    expect(await sendAnew(null)).not.toBe(first);
  });

  test("is kept beside another amount and another call, which have keys of their own", async () => {
    const first = await sendAnew(NO_ANSWER);
    const others = [await sendAnew(null, undefined, B), await sendAnew(NO_ANSWER, new SubmitKey("deposit"))];
    expect(new Set([first, ...others]).size).toBe(3);
    expect(await sendAnew(null)).toBe(first);
  });

  test("a no to it ends its key; a no that comes before anybody looks at it does not", async () => {
    const first = await sendAnew(NO_ANSWER);
    for (const status of [401, 403, 429]) expect(await sendAnew(new Refusal(status, "No."))).toBe(first);
    expect(await sendAnew(new Refusal(400, "No."))).toBe(first);
    const second = await sendAnew(new Refusal(429, "Too many."));
    expect(second).not.toBe(first);
    // It was the first with its key, and nothing has come of it.
    expect(await sendAnew(null)).not.toBe(second);
  });

  test("what one tab has promised holds, also when another one has got the answer", async () => {
    const here = new SubmitKey("withdraw", DAY_MS);
    const first = await sendAnew(NO_ANSWER, here);
    await sendAnew(null);
    expect(await sendAnew(null, here)).toBe(first);
  });

  test("is promised for half of the time, and is as long as it says", async () => {
    vi.useFakeTimers();
    const first = await sendAnew(NO_ANSWER);
    const page = new SubmitKey("withdraw", DAY_MS);
    expect([page.promises(A), page.promises(B)]).toEqual([true, false]);
    vi.advanceTimersByTime(12 * HOUR_MS);
    expect([page.promises(A), page.unanswered(A)?.key]).toEqual([false, first]);
    vi.advanceTimersByTime(11 * HOUR_MS);
    expect(page.unanswered(A)).toBeUndefined();
    await sendAnew(NO_ANSWER, page, B);
    expect(localStorage.getItem("unanswered")).not.toContain(first);
  });

  test("where the storage is full nothing is promised, and this page still knows it", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const page = new SubmitKey("withdraw", DAY_MS);
    const first = await sendAnew(NO_ANSWER, page);
    expect(page.promises(A)).toBe(false);
    expect(await sendAnew(null, page)).toBe(first);
  });
});
