/** No call waits for ever: after this the screen says what happened and offers a way on. */
const GIVE_UP_MS = 30_000;

/** Sends it, and gives up when the caller does or when the time is over: its body is awaited too, for one may stop midway. */
export async function withTimeLimit(request: Request): Promise<Response> {
  const limit = new AbortController();
  const giveUp = () => limit.abort();
  if (request.signal.aborted) giveUp();
  request.signal.addEventListener("abort", giveUp);
  const timer = setTimeout(giveUp, GIVE_UP_MS);
  try {
    const answer = await fetch(request, { signal: limit.signal });
    // With some statuses not even an empty text may be a body.
    return new Response((await answer.text()) || null, answer);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", giveUp);
  }
}
