/**
 * Sends a call with the bearer token. A 401 on it means that the token has run out: the session is
 * refreshed once (concurrent calls share that refresh) and the call is sent once more.
 */
import { nextTask } from "../lib/next-task";
import { currentSession } from "../lib/session";
import { tellForbidden } from "./forbidden";
import { refreshSession } from "./refresh";
import { wasGiven } from "./step-up";
import { withTimeLimit } from "./time-limit";

/** Calls that nobody's token belongs on: they answer everybody the same, or an expired one would make a 401 of it. */
const WITHOUT_TOKEN = [
  "POST /api/signup",
  "POST /api/login",
  "POST /api/forgot-password",
  "POST /logout",
  "GET /current-gameweek",
  "GET /api/gameweek/status",
  "GET /api/pay/status",
  "GET /api/deposits/status",
  "GET /api/settings",
  "GET /api/gameweeks",
  "GET /api/leagues",
];
const WITHOUT_TOKEN_BELOW = [
  "GET /api/points/",
  "GET /api/gameweeks/",
  "GET /api/leagues/",
  "POST /api/reset-password/",
  "GET /api/cancel-withdrawal/",
  "POST /api/cancel-withdrawal/",
];

function needsNoToken(request: Request): boolean {
  const call = `${request.method} ${new URL(request.url).pathname}`;
  return WITHOUT_TOKEN.includes(call) || WITHOUT_TOKEN_BELOW.some((start) => call.startsWith(start));
}

/** Sends a call; one that wants a fresh code of the authenticator app is made once more when it was given. */
export async function authedFetch(request: Request): Promise<Response> {
  const act = request.method !== "GET";
  // A page reads several things as it comes: each is sent in a task of its own.
  if (!act) await nextTask();
  return send(request, act);
}

/** The same for a call that nobody has made by hand. */
export const quietFetch = (request: Request) => send(request, false);

async function send(request: Request, act: boolean): Promise<Response> {
  const again = request.clone();
  const first = await withToken(request, act);
  const answer = (await wasGiven(first)) ? await withToken(again, act) : first;
  if (answer.status === 403) tellForbidden();
  return answer;
}

async function withToken(request: Request, act: boolean): Promise<Response> {
  const token = currentSession()?.token;
  if (!token || needsNoToken(request)) return withTimeLimit(request);

  const again = request.clone();
  const answer = await withTimeLimit(bearing(request, token));
  if (answer.status !== 401) return answer;

  const newer = currentSession()?.token;
  if (newer === token) {
    const outcome = await refreshSession(act);
    if (outcome === "unreachable") throw new TypeError("the session could not be refreshed");
  }
  const fresh = currentSession()?.token;
  if (!fresh || fresh === token) return answer;
  return withTimeLimit(bearing(again, fresh));
}

function bearing(request: Request, token: string): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  return new Request(request, { headers });
}
