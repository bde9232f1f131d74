import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs, openAt } from "../../../testing/app";
import { GAMEWEEK, json, playsIn, server, url, USER } from "../../../testing/server";

type Member = Schemas["MemberView"];
type Footballer = NonNullable<Schemas["Points"]["team"]>["players"][number];

const footballer = (id: number, points: number): Footballer => ({
  id,
  name: `Player ${id}`,
  club: "ARS",
  position: id === 1 ? 1 : id < 6 ? 2 : id < 10 ? 3 : 4,
  multiplier: 1,
  captain: false,
  viceCaptain: false,
  points,
  stage: "played",
  provisionalBonus: 0,
  cameFor: null,
  why: [{ what: "minutes", count: 90, points }],
});
/** Ten whom everybody has, with 50 points, and one more. */
const team = (eleventh: Footballer) => [...Array.from({ length: 10 }, (_, i) => footballer(i + 1, 5)), eleventh];
const isIn = (username: string, fplId: string, gross: number, transfersCost: number, deducted = true): Member => ({
  fplId,
  username,
  gross,
  transfersCost,
  points: deducted ? gross - transfersCost : gross,
  points_on_bench: 3,
  status: "live",
  captain: "Saka",
  played: 11,
  playing: 0,
  left: 0,
});

/** A league of two, and the eleventh footballer of each; mine is the second. */
function play(users: [Member, Member], [theirs, mine]: [Footballer, Footballer]) {
  const answer = (players: Footballer[]) => () => json({ points: null, status: "live", team: { playing: true, players } });
  const league = { _id: "l1", number: 1, state: "drawn", status: "live", own: false, playing: true, users } as const;
  server.use(
    http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })),
    http.get(url("/api/leagues"), () => json([league])),
    playsIn(league),
    http.get(url("/api/points/77"), answer(team(theirs))),
    http.get(url(`/api/points/${USER.fplId}`), answer(team(mine))),
  );
}

async function openTeam(username: string) {
  openAt("/leagues");
  await userEvent.click(await screen.findByRole("button", { name: new RegExp(`^Team of ${username}`) }));
  return within(await screen.findByRole("dialog", { name: username }));
}
async function beside(username: string) {
  const dialog = await openTeam(username);
  await userEvent.click(await dialog.findByRole("button", { name: "Beside mine" }));
  return dialog;
}
const column = (dialog: Awaited<ReturnType<typeof openTeam>>, name: string) =>
  within(dialog.getByRole("region", { name })).getAllByRole("listitem").map((row) => row.textContent);

beforeEach(() => logInAs("player"));

test("a team's points, with what extra transfers cost, are what its footballers come to", async () => {
  play([isIn("otieno", "77", 62, 4), isIn("wanjiru", USER.fplId, 61, 0)], [footballer(11, 12), footballer(12, 11)]);
  const dialog = await openTeam("otieno");
  const pitch = within(await dialog.findByRole("group", { name: "Team of otieno" }));
  const points = pitch.getAllByRole("button").map((tile) => Number(/ (\d+) points/.exec(tile.getAttribute("aria-label") ?? "")?.[1]));
  expect(points.reduce((sum, one) => sum + one, 0)).toBe(62);
  expect(dialog.getByText("58").closest("p")).toHaveTextContent(/^58 points as they stand62 − 4 for transfers$/);
});

test("nothing is said of transfers that cost nothing", async () => {
  play([isIn("otieno", "77", 62, 0), isIn("wanjiru", USER.fplId, 61, 0)], [footballer(11, 12), footballer(12, 11)]);
  const dialog = await openTeam("otieno");
  expect(dialog.getByText("62").closest("p")).toHaveTextContent(/^62 points as they stand$/);
});

test("beside mine: with what transfers cost, the columns differ by what I need to pass", async () => {
  play([isIn("otieno", "77", 61, 0), isIn("wanjiru", USER.fplId, 62, 4)], [footballer(11, 11), footballer(12, 12)]);
  const dialog = await beside("otieno");
  // 11 against 12 − 4: 3 behind.
  expect(await dialog.findByText("You need 4 more points to pass otieno.")).toBeInTheDocument();
  expect(column(dialog, "Only you")).toEqual(["Player 1212", "Extra transfers−4"]);
  expect(column(dialog, "Only otieno")).toEqual(["Player 1111"]);
});

test("beside mine: teams of the same footballers are apart by what transfers cost", async () => {
  play([isIn("otieno", "77", 62, 8), isIn("wanjiru", USER.fplId, 62, 4)], [footballer(11, 12), footballer(11, 12)]);
  const dialog = await beside("otieno");
  expect(await dialog.findByText("You are 4 points ahead: otieno needs 5 more to pass you.")).toBeInTheDocument();
  expect(column(dialog, "Only you")).toEqual(["Extra transfers−4"]);
  expect(column(dialog, "Only otieno")).toEqual(["Extra transfers−8"]);
  expect(dialog.queryByText("The two teams are the same.")).not.toBeInTheDocument();
});

test("beside mine: what both have paid alike makes no two teams of the same one", async () => {
  play([isIn("otieno", "77", 62, 4), isIn("wanjiru", USER.fplId, 62, 4)], [footballer(11, 12), footballer(11, 12)]);
  const dialog = await beside("otieno");
  expect(await dialog.findByText("The two teams are the same.")).toBeInTheDocument();
});

test("with the deduction off transfers are named, and take nothing off", async () => {
  play([isIn("otieno", "77", 61, 0, false), isIn("wanjiru", USER.fplId, 62, 4, false)], [footballer(11, 11), footballer(12, 12)]);
  const dialog = await beside("otieno");
  expect(await dialog.findByText("You are 1 point ahead: otieno needs 2 more to pass you.")).toBeInTheDocument();
  expect(column(dialog, "Only you")).toEqual(["Player 1212"]);
});
