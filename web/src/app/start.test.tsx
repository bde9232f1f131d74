import { render, screen } from "@testing-library/react";
import { http } from "msw";
import { afterEach, expect, test } from "vitest";
import { currentSession } from "../lib/session";
import { logInAs } from "../testing/app";
import { gate } from "../testing/gate";
import { json, server, told, url } from "../testing/server";
import { App } from "./App";
import { startUp } from "./start-up";

afterEach(() => window.history.replaceState(null, "", "/"));

const start = () => render(<App started={startUp()} />);

test("'Loading...' shows until the silent refresh has finished (spec section 2)", async () => {
  const refresh = gate<Response>();
  server.use(http.post(url("/refresh"), refresh.wait));
  start();
  await refresh.asked;
  expect(screen.getByText("Loading...")).toBeInTheDocument();
  expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
  refresh.open(told(401, "Log in."));
  expect(await screen.findByLabelText("Email")).toBeInTheDocument();
});

test("a refresh that the page began by itself is the one of the start, and good once", async () => {
  logInAs("player");
  let sent = 0;
  server.use(
    http.post(url("/refresh"), () => {
      sent += 1;
      return json({ accessToken: "token-9" });
    }),
  );
  globalThis.begunRefresh = Promise.resolve(Response.json({ accessToken: "token-8" }));
  await startUp();
  expect([localStorage.getItem("token"), sent]).toEqual(["token-8", 0]);
  await startUp();
  expect([localStorage.getItem("token"), sent]).toEqual(["token-9", 1]);
});

test("one that the page began and that got no answer logs nobody out", async () => {
  logInAs("player");
  globalThis.begunRefresh = Promise.resolve(null);
  expect(await startUp()).toBe("unreachable");
  expect(currentSession()).not.toBeNull();
});

test("who is still logged in goes on from / with a fresh token", async () => {
  logInAs("player");
  start();
  expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
  expect(localStorage.getItem("token")).toBe("token-2");
});

test("a 401 at the start logs out", async () => {
  logInAs("player");
  server.use(http.post(url("/refresh"), () => told(401, "Log in again.")));
  start();
  expect(await screen.findByLabelText("Email")).toBeInTheDocument();
  expect(screen.getByText("You have been logged out. Log in again.")).toBeInTheDocument();
  expect(currentSession()).toBeNull();
});

test("a 401 at the start on a screen that guests see too says so", async () => {
  window.history.replaceState(null, "", "/leagues");
  logInAs("player");
  server.use(http.post(url("/refresh"), () => told(401, "Log in again.")));
  start();
  expect(await screen.findByText("You have been logged out. Log in again.")).toBeInTheDocument();
  expect(location.pathname).toBe("/login");
});

test.each([
  ["a network failure", () => Response.error()],
  ["a server error", () => json({}, { status: 502 })],
])("%s at the start logs nobody out", async (_what, answer) => {
  logInAs("player");
  server.use(http.post(url("/refresh"), answer));
  start();
  expect(await screen.findByText("Hello, wanjiru")).toBeInTheDocument();
  expect(currentSession()).not.toBeNull();
});
