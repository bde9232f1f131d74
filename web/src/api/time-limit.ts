/** No call waits for ever: after this the screen says what happened and offers a way on. */
const GIVE_UP_MS = 30_000;

/** Sends it, and gives up when the caller does or when the time is over. */
export async function withTimeLimit(request: Request): Promise<Response> {
  const limit = new AbortController();
  const giveUp = () => limit.abort(request.signal.reason);
  if (request.signal.aborted) giveUp();
  request.signal.addEventListener("abort", giveUp);
  const timer = setTimeout(() => limit.abort(new DOMException("no answer in time", "TimeoutError")), GIVE_UP_MS);
  try {
    return await fetch(request, { signal: limit.signal });
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", giveUp);
  }
}
