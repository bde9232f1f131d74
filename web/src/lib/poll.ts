/**
 * Asking again until an answer is final. Time counts only while the page is seen: hidden, nothing
 * is asked; on return it asks at once, and that question is not one of the counted ones.
 */

export type PollOptions<T> = {
  /** The final answer, or null to be asked again. A failure counts as no answer. */
  ask: (signal: AbortSignal) => Promise<T | null>;
  everyMs: number;
  /** How many timed questions before it gives up; without it, none. */
  attempts?: number;
  signal: AbortSignal;
};

/** The first final answer; null after the last attempt or when aborted. */
export async function poll<T>({ ask, everyMs, attempts = Infinity, signal }: PollOptions<T>): Promise<T | null> {
  const timer = visibleTimer(everyMs);
  for (let asked = 0; asked < attempts; ) {
    const woke = await timer(signal);
    if (woke === "aborted") return null;
    if (woke === "elapsed") asked += 1;
    const answer = await question(ask, signal);
    if (signal.aborted) return null;
    if (answer !== null) return answer;
  }
  return null;
}

/** So long is one answer waited for: then it counts as none. */
const QUESTION_MS = 10_000;

/** One question; its signal ends with its time, or with the whole. */
const question = <T>(ask: PollOptions<T>["ask"], signal: AbortSignal) =>
  new Promise<T | null>((resolve) => {
    const limit = new AbortController();
    const end = (answer: T | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      resolve(answer);
    };
    const giveUp = () => {
      limit.abort();
      end(null);
    };
    const timer = setTimeout(giveUp, QUESTION_MS);
    signal.addEventListener("abort", giveUp);
    ask(limit.signal).then(end, () => end(null));
  });

type Woke = "elapsed" | "returned" | "aborted";

/** Waits `everyMs` of seen time; a return to the page interrupts, and the rest is waited for next. */
function visibleTimer(everyMs: number) {
  let left = everyMs;
  return (signal: AbortSignal) =>
    new Promise<Woke>((resolve) => {
      let handle: ReturnType<typeof setTimeout> | undefined;
      let startedAt = 0;

      const run = () => {
        startedAt = performance.now();
        handle = setTimeout(() => {
          left = everyMs;
          finish("elapsed");
        }, left);
      };
      const onVisibility = () => {
        if (document.hidden) {
          clearTimeout(handle);
          if (startedAt > 0) left = Math.max(0, left - (performance.now() - startedAt));
          startedAt = 0;
        } else finish("returned");
      };
      const onAbort = () => finish("aborted");
      const finish = (woke: Woke) => {
        clearTimeout(handle);
        document.removeEventListener("visibilitychange", onVisibility);
        signal.removeEventListener("abort", onAbort);
        resolve(woke);
      };

      if (signal.aborted) return resolve("aborted");
      document.addEventListener("visibilitychange", onVisibility);
      signal.addEventListener("abort", onAbort);
      if (!document.hidden) run();
    });
}
