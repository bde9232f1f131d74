import { expect, test, vi } from "vitest";
import * as session from "./session";
import { rememberedPhone, rememberPhone } from "./phone";
import { noteSeen } from "./told-wins";

const PLAYER = { token: "t", userId: "u1", username: "wanjiru", fplId: "42", email: "w@example.com", role: "player" };

test("a log-in stores the spec's keys and ends being a guest (spec section 3)", () => {
  session.enterAsGuest();
  expect(localStorage.getItem("isGuest")).toBe("true");
  session.startSession(PLAYER);
  expect(localStorage.getItem("isGuest")).toBeNull();
  for (const key of ["token", "userId", "username", "fplId", "email"] as const) {
    expect(localStorage.getItem(key)).toBe(PLAYER[key]);
  }
  expect(session.currentSession()).toEqual(PLAYER);
});

test("another player on this phone sees neither the number, the balance nor anything else of the one before; the same one still does", () => {
  session.startSession(PLAYER);
  rememberPhone("0712345678");
  sessionStorage.setItem("lastPrompt", "0712345678");
  localStorage.setItem("unanswered", "{}");
  session.expireSession();
  session.startSession(PLAYER);
  session.storeWallet(500);
  expect([rememberedPhone(), sessionStorage.getItem("lastPrompt"), localStorage.getItem("unanswered")]).toEqual(["0712345678", "0712345678", "{}"]);
  session.startSession({ ...PLAYER, userId: "u2" });
  expect([rememberedPhone(), session.lastSeenWallet(), sessionStorage.length, localStorage.getItem("unanswered")]).toEqual(["", null, 0, null]);
});

test("an ended session forgets the player and says so once; a guest stays a guest", () => {
  const said = vi.fn();
  const unsubscribe = session.onSessionExpired(said);
  session.startSession(PLAYER);
  session.storeWallet(500);
  session.expireSession();
  session.expireSession();
  expect(said).toHaveBeenCalledTimes(1);
  expect(session.currentSession()).toBeNull();
  expect(session.lastSeenWallet()).toBeNull();

  session.enterAsGuest();
  session.expireSession();
  expect(localStorage.getItem("isGuest")).toBe("true");
  unsubscribe();
});

test("whether something was being done by an ended session is known until the next one ends", () => {
  session.startSession(PLAYER);
  session.expireSession(true);
  session.expireSession();
  expect([session.sessionWasEnded(), session.wasActing()]).toEqual([true, true]);
  session.startSession(PLAYER);
  session.expireSession();
  expect([session.sessionWasEnded(), session.wasActing()]).toEqual([true, false]);
});

test("a join is remembered under the spec's keys (spec section 4)", () => {
  session.storeJoin(100, 3);
  expect(localStorage.getItem("entryAmount")).toBe("100");
  expect(localStorage.getItem("joinedLeague")).toBe("true");
  expect(localStorage.getItem("gameweek")).toBe("3");
});

test("logging out leaves only which win was told to whom, and nothing else that is called alike", () => {
  session.startSession(PLAYER);
  session.storeWallet(500);
  noteSeen("u1", ["2026-02", "2026-01"]);
  noteSeen("u2", ["wanjiru@example.com"]);
  sessionStorage.setItem("lastPrompt", "0712345678");
  session.clearEverything();
  expect({ ...localStorage }).toEqual({ "decided:u1": "2026-02,2026-01" });
  expect(sessionStorage).toHaveLength(0);
});

test("what is left in a tab whose player was logged out in another one is not for who comes next", () => {
  session.startSession(PLAYER);
  sessionStorage.setItem("lastPrompt", "0712345678");
  localStorage.clear();
  session.startSession({ ...PLAYER, userId: "u2" });
  expect(sessionStorage).toHaveLength(0);
});

test("a fresh token makes no session where there is none", () => {
  session.storeToken("t2");
  expect(session.currentSession()).toBeNull();
});
