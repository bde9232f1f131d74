import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { newQueryClient } from "../app/Providers";
import { currentSession, startSession } from "../lib/session";
import { logInAs } from "../testing/app";
import { json, server, url, USER } from "../testing/server";
import { userQuery } from "./queries";

describe("the team of the account is the one that is sent from here", () => {
  const read = () => newQueryClient().fetchQuery(userQuery);

  beforeEach(() => logInAs("player"));

  test("changed on another phone, or by the operator: it is stored", async () => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "777" })));
    await read();
    expect(localStorage.getItem("fplId")).toBe("777");
    expect(currentSession()?.fplId).toBe("777");
  });

  test.each([
    ["without a team", { fplId: "", needsTeam: true }],
    ["whose team is of last season", { fplId: "777", needsTeam: true }],
  ])("of an account %s none is kept", async (_which, change) => {
    server.use(http.get(url("/api/user"), () => json({ ...USER, ...change })));
    await read();
    expect(currentSession()?.fplId).toBe("");
  });

  test("an answer that comes when another tab has logged somebody else in is not theirs", async () => {
    const other = { token: "token-9", userId: "u9", username: "otieno", fplId: "99", email: "o@example.com", role: "player" };
    server.use(
      http.get(url("/api/user"), () => {
        startSession(other);
        return json({ ...USER, fplId: "777" });
      }),
    );
    await read();
    expect(currentSession()).toEqual(other);
  });
});
