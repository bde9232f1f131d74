import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../api/client";
import { storeTeam } from "../../lib/session";
import { logInAs, openAt } from "../../testing/app";
import { json, playsIn, server, url, USER } from "../../testing/server";

type User = Schemas["MemberView"];
type League = Schemas["LeagueView"];
const of = (username: string, fplId: string, points: number | null = null, bench: number | null = null): User => ({ fplId, username, points, points_on_bench: bench });
const league = (number: number, users: User[], state: League["state"] = "provisional"): League => ({ _id: `l${number}`, number, state, own: false, users });
const serve = (...leagues: League[]) => server.use(http.get(url("/api/leagues"), () => json(leagues)));

beforeEach(() => logInAs("player"));

describe("the own league", () => {
  test("the own row is that of the team that was entered, though another one is linked by now", async () => {
    const mine = league(1, [of("otieno", "4242", 40, 9), of("wanjiru", "777", 61, 7)], "drawn");
    serve(mine);
    server.use(playsIn(mine, "777"));
    openAt("/leagues");
    const own = within(await screen.findByRole("region", { name: "Group #1 (Your Group)" }));
    const rows = own.getAllByRole("row", { current: true });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toHaveTextContent("wanjiru");
  });

  test("who is in none has no group, though the number that this phone has kept is somebody's of the new season", async () => {
    let asked = 0;
    server.use(http.get(url("/api/me/league"), () => (asked++, json({ league: null }))));
    serve(league(1, [of("otieno", USER.fplId)]));
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #1" })).toBeInTheDocument();
    await waitFor(() => expect(asked).toBe(2));
    expect(screen.queryByRole("row", { current: true })).not.toBeInTheDocument();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toBe(2);
  });

  test("the own group is marked at once where another phone has joined and the list tells of it first", async () => {
    const mine = league(1, [of("wanjiru", USER.fplId)]);
    let asked = 0;
    server.use(http.get(url("/api/me/league"), () => json(++asked > 1 ? { league: { ...mine, own: true }, place: 1, fplId: USER.fplId } : { league: null })));
    serve(mine);
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #1 (Your Group)" })).toBeInTheDocument();
    expect(asked).toBe(2);
  });

  test("where the own group cannot be read it is the one with the team that is linked", async () => {
    server.use(http.get(url("/api/me/league"), () => json({ message: "Too many requests." }, { status: 429 })));
    serve(league(1, [of("otieno", "1")]), league(2, [of("wanjiru", USER.fplId)]));
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #2 (Your Group)" })).toBeInTheDocument();
  });

  test("who has no team any more has a group all the same", async () => {
    storeTeam("");
    const mine = league(1, [of("wanjiru", "777")]);
    serve(mine);
    server.use(http.get(url("/api/user"), () => json({ ...USER, fplId: "", needsTeam: true })), playsIn(mine, "777"));
    openAt("/leagues");
    expect(await screen.findByRole("region", { name: "Group #1 (Your Group)" })).toBeInTheDocument();
  });
});
