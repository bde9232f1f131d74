import { expect, test } from "vitest";
import { partOf } from "./rules";

const ORIGIN = "https://fplleagues.test";
const KEPT = new Set(["/index.html", "/assets/index-abc.js"]);
const ask = (path: string, mode = "navigate", method = "GET") =>
  partOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, KEPT);

test.each([
  "/api/user",
  "/api/leagues?gameweek=3&entryAmount=50",
  "/hooks/stk/1/2",
  "/sim/",
  "/logout",
  "/refresh",
  "/current-gameweek",
  "/healthz",
])("%s is never answered for, however it is asked for", (path) => {
  expect([ask(path), ask(path, "cors"), ask(path, "same-origin")]).toEqual(["none", "none", "none"]);
});

test.each(["/", "/payment", "/leagues", "/ref/abc", "/reset-password/0a1b", "/refresher", "/gameweek"])(
  "%s is a screen",
  (path) => expect(ask(path)).toBe("screen"),
);

test("only what was kept is answered for as a file", () => {
  expect(ask("/assets/index-abc.js", "cors")).toBe("file");
  expect(ask("/assets/PanelPage-def.js", "cors")).toBe("none");
  expect(ask("/tutorial.mp4")).toBe("none");
});

test("another origin, and anything that is not read, is left alone", () => {
  expect(ask("https://fantasy.premierleague.com/entry/1")).toBe("none");
  expect(ask("/payment", "navigate", "POST")).toBe("none");
});
