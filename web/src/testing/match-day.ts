/** A match day: two in a league, and their teams on the pitch. */
import type { Schemas } from "../api/client";

export type Member = Schemas["MemberView"];
type League = Schemas["LeagueView"];
export type Player = NonNullable<Schemas["Points"]["team"]>["players"][number];

export const member = (username: string, fplId: string, points: number, more: Partial<Member> = {}): Member => ({
  fplId,
  username,
  points,
  points_on_bench: 3,
  status: "live",
  ...more,
});
export const listed = (users: Member[]): League => ({ _id: "l1", number: 1, state: "drawn", status: "live", own: false, users });
export const onPitch = { captain: "Saka", played: 4, playing: 2, left: 5 };

const player = (id: number, change: Partial<Player> = {}): Player => ({
  id,
  name: `Player ${id}`,
  club: "ARS",
  position: id === 1 ? 1 : id < 6 ? 2 : id < 10 ? 3 : 4,
  multiplier: id > 11 ? 0 : 1,
  captain: false,
  viceCaptain: false,
  points: 2,
  stage: "played",
  provisionalBonus: 0,
  cameFor: null,
  why: [{ what: "minutes", count: 90, points: 2 }],
  ...change,
});
export const fifteen = (change: Record<number, Partial<Player>>) => Array.from({ length: 15 }, (_, i) => player(i + 1, change[i + 1]));

export const SAKA: Partial<Player> = {
  name: "Saka",
  captain: true,
  multiplier: 2,
  points: 8,
  stage: "playing",
  provisionalBonus: 3,
  why: [
    { what: "minutes", count: 71, points: 2 },
    { what: "goals_scored", count: 1, points: 5 },
    { what: "throw_ins", count: 4, points: 1 },
  ],
};
