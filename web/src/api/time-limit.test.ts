import { beforeEach, expect, test, vi } from "vitest";
import { currentSession } from "../lib/session";
import { logInAs } from "../testing/app";
import { api } from "./client";
import { refreshSession } from "./refresh";
import { withTimeLimit } from "./time-limit";

/** Of each answer the beginning comes, and the rest never does. */
const stall = () =>
  vi.spyOn(globalThis, "fetch").mockImplementation((_request, init) => {
    const body = new ReadableStream({
      start(answer) {
        answer.enqueue(new TextEncoder().encode("{"));
        init?.signal?.addEventListener("abort", () => answer.error(new DOMException("aborted", "AbortError")));
      },
    });
    return Promise.resolve(new Response(body));
  });

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));

test("a call whose answer stops midway ends after 30 s", async () => {
  stall();
  const ended = vi.fn();
  const call = api.GET("/current-gameweek").catch(ended);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await call;
  expect(ended).toHaveBeenCalledOnce();
});

test("who called can give up while the answer is still coming", async () => {
  stall();
  const control = new AbortController();
  const call = expect(api.GET("/current-gameweek", { signal: control.signal })).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1_000);
  control.abort();
  await call;
});

test("a refresh whose answer stops midway keeps nobody waiting, and the next one is another", async () => {
  logInAs("player");
  const asked = stall();
  const waiting = [refreshSession(), refreshSession()];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await Promise.all(waiting)).toEqual(["unreachable", "unreachable"]);
  expect(currentSession()).not.toBeNull();
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockResolvedValue(Response.json({ accessToken: "token-9" }));
  expect(await refreshSession()).toBe("refreshed");
});

test.each([200, 204, 205, 304, 500])("an answer without a body is one (%i)", async (status) => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null, { status, headers: { "x-next-cursor": "p2" } }));
  const answer = await withTimeLimit(new Request(`${location.origin}/healthz`));
  expect([answer.status, answer.headers.get("x-next-cursor"), await answer.text()]).toEqual([status, "p2", ""]);
});
