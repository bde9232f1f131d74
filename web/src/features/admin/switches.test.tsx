import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs } from "../../testing/app";
import { dialog, part, taking } from "../../testing/panel";
import { json, server, SWITCHES, told, url } from "../../testing/server";

beforeEach(() => logInAs("admin"));

describe("switches", () => {
  const PAUSED: Schemas["SwitchesView"] = {
    ...SWITCHES,
    entries: { paused: true, by: "admin", byName: "achieng", since: "2026-08-20T09:00:00Z", reason: "M-Pesa is down." },
  };
  const PATH = "/api/admin/switches";

  test("pausing asks for a reason, says what it does, and what it is now", async () => {
    let now: Schemas["SwitchesView"] = SWITCHES;
    server.use(http.get(url(PATH), () => json(now)));
    const sent = taking("put", PATH, () => json((now = PAUSED)));
    const section = await part("Switches");
    await userEvent.click(await section.findByRole("button", { name: "Pause entries" }));
    const question = await dialog("Pause entries");
    expect(question.getByText(/^Nobody can join or pay for an entry/)).toBeInTheDocument();
    await userEvent.click(question.getByRole("button", { name: "Pause" }));
    expect(question.getByRole("alert")).toHaveTextContent("Give the reason: it is kept in the audit log.");
    await userEvent.type(question.getByLabelText("Reason"), "M-Pesa is down.");
    await userEvent.click(question.getByRole("button", { name: "Pause" }));
    expect(await section.findByText("Entries are paused.")).toBeInTheDocument();
    expect(await section.findByText("Paused by achieng since Thu 20 Aug, 12:00")).toBeInTheDocument();
    expect(section.getByText("M-Pesa is down.")).toBeInTheDocument();
    expect(sent).toEqual([{ entriesPaused: true, reason: "M-Pesa is down." }]);
  });

  test("what the comparison of the books has paused is resumed by an admin", async () => {
    let now: Schemas["SwitchesView"] = {
      ...SWITCHES,
      payouts: { paused: true, by: "reconciliation", since: "2026-08-20T00:30:00Z", reason: "The books are off by KSh 50." },
    };
    server.use(http.get(url(PATH), () => json(now)));
    const sent = taking("put", PATH, () => json((now = SWITCHES)));
    const section = await part("Switches");
    expect(await section.findByText(/^Paused by the comparison of the books since/)).toBeInTheDocument();
    await userEvent.click(section.getByRole("button", { name: "Resume payouts" }));
    const question = await dialog("Resume payouts");
    await userEvent.type(question.getByLabelText("Reason"), "Found it.");
    await userEvent.click(question.getByRole("button", { name: "Resume" }));
    expect(await section.findByText("Payouts go on.")).toBeInTheDocument();
    expect(sent).toEqual([{ payoutsPaused: false, reason: "Found it.", since: "2026-08-20T00:30:00Z" }]);
  });

  test("a pause that has come after the question was asked is not ended, and shown", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const text = "It was paused anew after you looked, and nothing was resumed. See who paused it now, and why.";
    const seen = PAUSED.entries.since;
    let now = PAUSED;
    server.use(http.get(url(PATH), () => json(now)));
    const sent = taking("put", PATH, () => told(409, text));
    const section = await part("Switches");
    await userEvent.click(await section.findByRole("button", { name: "Resume entries" }));
    now = { ...PAUSED, entries: { ...PAUSED.entries, byName: "baraka", since: "2026-08-20T10:00:00Z" } };
    const question = await dialog("Resume entries");
    await userEvent.type(question.getByLabelText("Reason"), "M-Pesa is back.");
    await userEvent.click(question.getByRole("button", { name: "Resume" }));
    expect(await question.findByRole("alert")).toHaveTextContent(text);
    expect(await section.findByText("Paused by baraka since Thu 20 Aug, 13:00")).toBeInTheDocument();
    // The question is still about what was seen when it was asked.
    await userEvent.click(await question.findByRole("button", { name: "Resume" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ entriesPaused: false, reason: "M-Pesa is back.", since: seen });
    expect(sent[0]).toEqual(sent[1]);
  });

  test("the books on the same page say at once that payouts are paused", async () => {
    let now: Schemas["SwitchesView"] = SWITCHES;
    server.use(
      http.get(url(PATH), () => json(now)),
      http.get(url("/api/admin/books"), () => json({ accounts: [], days: [], payouts: now.payouts, reversals: [] })),
    );
    taking("put", PATH, () => json((now = { ...SWITCHES, payouts: { paused: true, reason: "To be safe." } })));
    const section = await part("Switches");
    const machines = within(await screen.findByRole("region", { name: "What the machines say" }));
    await machines.findByText("The books have not been read yet.");
    await userEvent.click(await section.findByRole("button", { name: "Pause payouts" }));
    const question = await dialog("Pause payouts");
    await userEvent.type(question.getByLabelText("Reason"), "To be safe.");
    await userEvent.click(question.getByRole("button", { name: "Pause" }));
    expect(await machines.findByText("Payouts are stopped: To be safe.")).toBeInTheDocument();
  });

  test.each([
    ["the server's words", () => told(400, "Give a reason of at most 200 characters."), "Give a reason of at most 200 characters."],
    ["no answer", () => Response.error(), "No answer came. Refresh, and see whether it was done."],
  ])("not turned, with %s: the form stays", async (_, answer, text) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    taking("put", PATH, answer);
    const section = await part("Switches");
    await userEvent.click(await section.findByRole("button", { name: "Pause payouts" }));
    const question = await dialog("Pause payouts");
    await userEvent.type(question.getByLabelText("Reason"), "To be safe.");
    await userEvent.click(question.getByRole("button", { name: "Pause" }));
    expect(await question.findByRole("alert")).toHaveTextContent(text);
    expect(question.getByLabelText("Reason")).toHaveValue("To be safe.");
  });

  test("where they cannot be read it says so, and can be tried again", async () => {
    let fails = true;
    server.use(http.get(url(PATH), () => (fails ? told(400, "no") : json(SWITCHES))));
    const section = await part("Switches");
    expect(await section.findByText("The switches could not be read just now.")).toBeInTheDocument();
    fails = false;
    await userEvent.click(section.getByRole("button", { name: "Try again" }));
    expect(await section.findByRole("button", { name: "Pause entries" })).toBeInTheDocument();
  });
});
