import { MessageChannel } from "node:worker_threads";
import { http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { noteUntold } from "../lib/language";
import { currentSession, wasActing } from "../lib/session";
import { logInAs } from "../testing/app";
import { json, server, told, url, USER } from "../testing/server";
import { authedFetch } from "./authed-fetch";
import { api } from "./client";
import { tellLanguage } from "./tell-language";

let refreshes = 0;

/** The user call takes only the newest token, as after the first one ran out. */
function expiredToken() {
  refreshes = 0;
  server.use(
    http.post(url("/refresh"), () => {
      refreshes += 1;
      return json({ accessToken: "token-2" });
    }),
    http.get(url("/api/user"), ({ request }) =>
      request.headers.get("authorization") === "Bearer token-2" ? json(USER) : told(401, "Log in again."),
    ),
  );
}

beforeEach(() => logInAs("player"));

test("a 401 refreshes the session once and sends the call again", async () => {
  expiredToken();
  const { data } = await api.GET("/api/user");
  expect(data?.username).toBe(USER.username);
  expect(refreshes).toBe(1);
  expect(localStorage.getItem("token")).toBe("token-2");
});

test("concurrent 401s share one refresh", async () => {
  expiredToken();
  const answers = await Promise.all([api.GET("/api/user"), api.GET("/api/user"), api.GET("/api/user")]);
  expect(answers.map((answer) => answer.response.status)).toEqual([200, 200, 200]);
  expect(refreshes).toBe(1);
});

test("a body is sent again whole", async () => {
  expiredToken();
  const bodies: unknown[] = [];
  server.use(
    http.post(url("/api/withdraw"), async ({ request }) => {
      bodies.push(await request.json());
      return request.headers.get("authorization") === "Bearer token-2"
        ? json({ message: "ok", walletBalance: 1 })
        : told(401, "Log in again.");
    }),
  );
  await api.POST("/api/withdraw", { body: { mpesaNumber: "0712345678", amount: 60 } });
  expect(bodies).toEqual([
    { mpesaNumber: "0712345678", amount: 60 },
    { mpesaNumber: "0712345678", amount: 60 },
  ]);
});

test("a refresh that is refused with 401 ends the session", async () => {
  expiredToken();
  server.use(http.post(url("/refresh"), () => told(401, "Log in again.")));
  const { response } = await api.GET("/api/user");
  expect(response.status).toBe(401);
  expect(currentSession()).toBeNull();
});

test.each([
  ["what somebody does", () => api.PUT("/api/me/notifications", { body: { push: {}, mail: {} } }), true],
  ["what somebody reads", () => api.GET("/api/user"), false],
  ["the language that the app tells", () => (noteUntold("sw"), tellLanguage()), false],
])("a session that ends by %s: whether something was being done is known", async (_what, call, acting) => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  expiredToken();
  const refused = () => told(401, "Log in again.");
  server.use(http.post(url("/refresh"), refused), http.put(url("/api/me/notifications"), refused));
  void call();
  await expect.poll(currentSession).toBeNull();
  expect(wasActing()).toBe(acting);
});

test.each([
  ["no network", () => Response.error()],
  ["a server error", () => told(503, "Busy.")],
])("a refresh that meets %s ends nothing", async (_what, answer) => {
  expiredToken();
  server.use(http.post(url("/refresh"), answer));
  await expect(api.GET("/api/user")).rejects.toThrow();
  expect(currentSession()?.username).toBe(USER.username);
});

test("a second 401 is handed to the caller, not asked about for ever", async () => {
  expiredToken();
  server.use(http.get(url("/api/user"), () => told(401, "No.")));
  const { response } = await api.GET("/api/user");
  expect(response.status).toBe(401);
  expect(refreshes).toBe(1);
});

test("points and status calls carry no token (spec section 6)", async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.get(url("/api/points/42"), ({ request }) => {
      seen.push(request.headers.get("authorization"));
      return json({ points: 1, points_on_bench: 0 });
    }),
  );
  await api.GET("/api/points/{fplId}", { params: { path: { fplId: "42" } } });
  expect(seen).toEqual([null]);
});

test("what a page reads is sent in tasks of its own, what somebody does at once", async () => {
  vi.stubGlobal("MessageChannel", MessageChannel);
  const sent = vi.spyOn(globalThis, "fetch");
  const read = authedFetch(new Request(url("/api/user")));
  await Promise.resolve();
  expect(sent).not.toHaveBeenCalled();
  const done = authedFetch(new Request(url("/logout"), { method: "POST" }));
  expect(sent).toHaveBeenCalledTimes(1);
  await Promise.all([read, done]);
  expect(sent).toHaveBeenCalledTimes(2);
});
