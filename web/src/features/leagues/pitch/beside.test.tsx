/** A team beside one's own: what the two do not share, and what is needed to pass. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { logInAs, openAt } from "../../../testing/app";
import { fifteen, listed, member, onPitch, SAKA } from "../../../testing/match-day";
import { GAMEWEEK, json, playsIn, server, url, USER } from "../../../testing/server";

const rows = [member("otieno", "77", 61, onPitch), member("wanjiru", USER.fplId, 58, { ...onPitch, captain: "Isak", playing: 0, played: 6 })];
const ISAK = { id: 40, name: "Isak", captain: true, multiplier: 2, stage: "left", points: 0, why: [] } as const;

beforeEach(() => {
  logInAs("player");
  server.use(
    http.get(url("/api/gameweek/status"), () => json({ ...GAMEWEEK, isOpen: false, state: "closed" })),
    http.get(url("/api/leagues"), () => json([{ ...listed(rows), playing: true }])),
    playsIn(listed(rows)),
    http.get(url("/api/points/77"), () => json({ points: 61, status: "live", team: { playing: true, players: fifteen({ 6: SAKA }) } })),
    http.get(url(`/api/points/${USER.fplId}`), () => json({ points: 58, status: "live", team: { playing: true, players: fifteen({ 6: { ...ISAK, why: [] } }) } })),
  );
});

const openTeam = async () => {
  openAt("/leagues");
  await userEvent.click(await screen.findByRole("button", { name: /^Team of otieno/ }));
  return within(await screen.findByRole("dialog", { name: "otieno" }));
};

test("what the two do not share, and what I need to pass", async () => {
  const dialog = await openTeam();
  await userEvent.click(await dialog.findByRole("button", { name: "Beside mine" }));
  expect(await dialog.findByText("You need 4 more points to pass otieno.")).toBeInTheDocument();
  const column = (name: string) => within(dialog.getByRole("region", { name })).getAllByRole("listitem").map((row) => row.textContent);
  expect(column("Only you")).toEqual(["Isak ×2–"]);
  expect(column("Only otieno")).toEqual(["Saka ×216"]);
});

test("one whom both have counts as often as the armband says; how many are still to come is of what is not shared", async () => {
  const both = fifteen({ 6: { ...SAKA, captain: false, multiplier: 1 }, 7: { id: 41, name: "Isak", stage: "left", points: 0, why: [] } });
  server.use(http.get(url(`/api/points/${USER.fplId}`), () => json({ points: 58, status: "live", team: { playing: true, players: both } })));
  const dialog = await openTeam();
  await userEvent.click(await dialog.findByRole("button", { name: "Beside mine" }));
  const column = (name: string) => within(dialog.getByRole("region", { name }));
  await waitFor(() => expect(column("Only otieno").getAllByRole("listitem").map((row) => row.textContent)).toEqual(["Saka ×2 against ×18", "Player 72"]));
  expect(column("Only you").getAllByRole("listitem").map((row) => row.textContent)).toEqual(["Isak–"]);
  expect(column("Only otieno").getByText("1 playing, 0 left")).toBeInTheDocument();
  expect(column("Only you").getByText("0 playing, 1 left")).toBeInTheDocument();
});

test("nobody passes anybody in a league that was given back", async () => {
  const refunded = rows.map((row) => ({ ...row, points: 0, points_on_bench: 0, status: undefined, rank: null, refund: 50 }));
  server.use(
    playsIn({ ...listed(refunded), state: "settled", status: undefined }),
    http.get(url("/api/leagues"), () => json([{ ...listed(refunded), state: "settled", status: undefined }])),
  );
  const dialog = await openTeam();
  await userEvent.click(await dialog.findByRole("button", { name: "Beside mine" }));
  expect(await dialog.findByRole("region", { name: "Only otieno" })).toBeInTheDocument();
  expect(dialog.queryByText(/pass|level|more/)).not.toBeInTheDocument();
});

test("my own team has nothing beside it", async () => {
  openAt("/leagues");
  await userEvent.click(await screen.findByRole("button", { name: /^Team of wanjiru/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "wanjiru" }));
  expect(await dialog.findByRole("group", { name: "Team of wanjiru" })).toBeInTheDocument();
  expect(dialog.queryByRole("button", { name: "Beside mine" })).not.toBeInTheDocument();
});
