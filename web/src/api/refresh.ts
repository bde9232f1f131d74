/**
 * The silent refresh. One at a time, whoever asks: callers that come while one runs share it.
 * Invariant: only a 401 ends a session; a network failure never does.
 */
import { expireSession, storeToken } from "../lib/session";
import { withTimeLimit } from "./time-limit";

export type Refreshed = "refreshed" | "ended" | "unreachable";

let running: Promise<Refreshed> | null = null;
/** Whether a call waits for it that changes something. */
let acted = false;

/** `act`: for a call that somebody has made to change something, and that was not taken. */
export function refreshSession(act = false): Promise<Refreshed> {
  acted ||= act;
  running ??= refresh().finally(() => {
    running = null;
    acted = false;
  });
  return running;
}

async function refresh(): Promise<Refreshed> {
  try {
    const answer = await (takeBegun() ?? send());
    if (!answer) return "unreachable";
    if (answer.status === 401) {
      expireSession(acted);
      return "ended";
    }
    if (!answer.ok) return "unreachable";
    const { accessToken } = (await answer.json()) as { accessToken?: string };
    if (!accessToken) return "unreachable";
    storeToken(accessToken);
    return "refreshed";
  } catch {
    // No answer says nothing about the session: keep it, and let the next call find out.
    return "unreachable";
  }
}

/** The refresh that the page began before this code had come (`early.ts`): good once. */
function takeBegun() {
  const begun = globalThis.begunRefresh;
  globalThis.begunRefresh = null;
  return begun;
}

const send = () =>
  withTimeLimit(new Request(new URL("/refresh", location.origin), { method: "POST", credentials: "same-origin" }));
