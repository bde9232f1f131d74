import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../../api/client";
import { logInAs } from "../../../testing/app";
import { part, taking } from "../../../testing/panel";
import { json, PREVIEW, server, url } from "../../../testing/server";

beforeEach(() => logInAs("admin"));

describe("waiting leagues", () => {
  const figures = { gross: 65, transfersCost: 4, points_on_bench: 7 };
  const LEAGUE = {
    _id: "2026-03-50-00002",
    gameweek: 3,
    season: 2026,
    entryAmount: 50,
    why: "Team 7: it has no official score for this gameweek.",
    since: "2026-08-24T09:00:00Z",
    decidableFrom: "2026-08-20T08:00:00Z",
    decisions: ["official-figures", "own-figures", "refund", "leave-out"],
    teams: [
      { username: "wanjiru", fplId: "5", own: figures, official: figures },
      { username: "otieno", fplId: "7", own: null, official: null },
    ],
  } satisfies Schemas["WaitingLeague"];

  async function open(league: Schemas["WaitingLeague"]) {
    server.use(http.get(url("/api/admin/leagues/waiting"), () => json({ waiting: [league], corrected: [], moreCorrected: 0 })));
    return part("Waiting Leagues");
  }
  const decided = () => taking("post", `/api/admin/leagues/${LEAGUE._id}`, () => json({ message: "It is decided." }));

  test.each([
    ["Settle officially", { act: "official-figures", reason: "Checked." }],
    ["Settle on our figures", { act: "own-figures", reason: "Checked." }],
    ["Refund all", { act: "refund", reason: "Checked." }],
    ["Leave out", { act: "leave-out", reason: "Checked.", fplIds: ["7"] }],
  ])("%s asks for a reason and says what happened", async (name, body) => {
    const sent = decided();
    const section = await open(LEAGUE);
    expect(await section.findByText("Gameweek 3 of 2026, KSh 50, Group #2")).toBeInTheDocument();
    await userEvent.click(await section.findByRole("button", { name }));
    const dialog = within(await screen.findByRole("dialog", { name }));
    expect(dialog.getByText(/^Gameweek 3 of 2026, KSh 50, Group #2, 2 players, KSh 100 of stakes: wanjiru, otieno\. /)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Give the reason: players read it.");
    await userEvent.type(dialog.getByLabelText("Reason"), "Checked.");
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    expect(await section.findByText("It is decided.")).toBeInTheDocument();
    expect(sent).toEqual([body]);
  });

  test("what is decided changes what there is to settle: that is read anew", async () => {
    let read = 0;
    server.use(
      http.get(url("/api/admin/winners"), () => {
        read += 1;
        return json(PREVIEW);
      }),
    );
    decided();
    const section = await open(LEAGUE);
    await userEvent.click(await section.findByRole("button", { name: "Refund all" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Refund all" }));
    const before = read;
    await userEvent.type(dialog.getByLabelText("Reason"), "Checked.");
    await userEvent.click(dialog.getByRole("button", { name: "Decide" }));
    await section.findByText("It is decided.");
    await waitFor(() => expect(read).toBeGreaterThan(before));
  });

  test("what the server would refuse is not offered", async () => {
    const section = await open({ ...LEAGUE, decisions: ["own-figures"] });
    expect(await section.findByRole("button", { name: "Settle on our figures" })).toBeInTheDocument();
    for (const name of ["Settle officially", "Refund all", "Leave out"]) {
      expect(section.queryByRole("button", { name })).not.toBeInTheDocument();
    }
  });

  test("before its time it can only be tried again, which needs no reason", async () => {
    const sent = decided();
    const section = await open({ ...LEAGUE, decidableFrom: "2026-08-25T09:00:00Z" });
    expect(await section.findByText(/can be decided from Tue 25 Aug, 12:00$/)).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Refund all" })).not.toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Try again" }));
    expect(await section.findByText("It is decided.")).toBeInTheDocument();
    expect(sent).toEqual([{ act: "retry" }]);
  });

  test("a correction that came after the payment is shown and changes nothing", async () => {
    const corrected = [{ _id: LEAGUE._id, what: "Team 5: 61 points, paid on 60." }];
    server.use(http.get(url("/api/admin/leagues/waiting"), () => json({ waiting: [], corrected, moreCorrected: 3 })));
    const section = await part("Waiting Leagues");
    expect(await section.findByText(/Team 5: 61 points, paid on 60\. Nothing that was paid changes\.$/)).toBeInTheDocument();
    expect(section.getByText("3 more leagues were paid before a correction.")).toBeInTheDocument();
  });

  test("more of them than a page are shown page by page", async () => {
    const second = { ...LEAGUE, _id: "2026-03-50-00003" };
    server.use(
      http.get(url("/api/admin/leagues/waiting"), ({ request }) => {
        const first = new URL(request.url).searchParams.get("cursor") === null;
        const answer = { waiting: [first ? LEAGUE : second], corrected: [], moreCorrected: 0 };
        return json(answer, first ? { headers: { "x-next-cursor": LEAGUE._id } } : {});
      }),
    );
    const section = await part("Waiting Leagues");
    await userEvent.click(await section.findByRole("button", { name: "Show more" }));
    expect(await section.findByText("Gameweek 3 of 2026, KSh 50, Group #3")).toBeInTheDocument();
    expect(section.getByText("Gameweek 3 of 2026, KSh 50, Group #2")).toBeInTheDocument();
    expect(section.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
  });
});
