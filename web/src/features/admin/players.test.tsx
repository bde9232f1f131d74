import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Schemas } from "../../api/client";
import { logInAs, openAt } from "../../testing/app";
import { dialog, OTIENO, OTIENOS_PROFILE, part, taking } from "../../testing/panel";
import { json, server, told, url } from "../../testing/server";

beforeEach(() => logInAs("admin"));

const at = "2026-08-20T09:00:00Z";
const PROFILE: Schemas["PlayerProfile"] = {
  ...OTIENOS_PROFILE,
  phones: ["0712345678"],
  ownNumbers: [{ phone: "0712345678", since: at }],
  prompts: [
    { checkoutId: "c3", phone: "0110345678", amount: 500, credited: 0, state: "SUCCESS", receipt: "SGL7RT61SV", at },
    { checkoutId: "c2", phone: "0712345678", amount: 53, entryAmount: 50, entryGameweek: 3, state: "FAILED", reason: "The PIN was wrong.", at },
  ],
  sessions: [
    { createdAt: at, lastUsedAt: "2026-08-21T09:00:00Z", stands: true },
    { createdAt: "2026-08-01T09:00:00Z", lastUsedAt: "2026-08-02T09:00:00Z", stands: false },
  ],
  acts: [{ _id: "a1", at, by: "admin", byName: "achieng", what: "confirm-manual-payment", on: "manual payment m1", after: "confirmed, KSh 500" }],
  transactions: [{ _id: "t2", kind: "entry", amount: -50, balanceAfter: 1250, at }],
  entries: {
    profitAndLoss: 400,
    entries: [
      { gameweek: "2026-02", season: 2026, number: 2, amount: 50, prize: 450, refund: 0, rank: 1, points: 78, league: "2026-02-50-00001", at },
    ],
  },
};
const PATH = "/api/admin/players/u7";
const AT = "/panel/players/u7";

/** The player as a page shows them, and as they are after a change. */
function shown(profile: Schemas["PlayerProfile"] = PROFILE) {
  let now = profile;
  server.use(http.get(url(PATH), () => json(now)));
  return (player: Partial<Schemas["PlayerItem"]>) => {
    now = { ...now, player: { ...now.player, ...player } };
    return now.player;
  };
}

describe("finding players", () => {
  test("by a name, an email, an FPL ID or a phone; a find leads to the profile", async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(url("/api/admin/players"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("q"));
        return json([{ ...OTIENO, suspended: true, closedAt: at }]);
      }),
    );
    shown();
    const section = await part("Find a player", "/panel/players");
    await userEvent.type(section.getByLabelText("Name, email, FPL ID or phone"), " otie ");
    await userEvent.click(section.getByRole("button", { name: "Search" }));
    expect(await section.findByText("Suspended")).toBeInTheDocument();
    expect(section.getByText("Closed by its player")).toBeInTheDocument();
    expect(asked).toEqual(["otie"]);
    await userEvent.click(section.getByRole("link", { name: "otieno" }));
    expect(await screen.findByRole("region", { name: "otieno" })).toBeInTheDocument();
  });

  test("too little is told at the field and not asked for", async () => {
    const section = await part("Find a player", "/panel/players");
    await userEvent.type(section.getByLabelText("Name, email, FPL ID or phone"), "o");
    await userEvent.click(section.getByRole("button", { name: "Search" }));
    expect(section.getByRole("alert")).toHaveTextContent("Enter at least two characters.");
  });

  test.each([
    [() => json([]), "Nobody is found by “zz”."],
    [() => told(400, "Enter at least two characters."), "Enter at least two characters."],
    [() => json(Array.from({ length: 20 }, (_, i) => ({ ...OTIENO, _id: `u${i}` }))), "At most 20 are shown. Type more to find others."],
  ])("what came of it is said (%#)", async (answer, text) => {
    server.use(http.get(url("/api/admin/players"), answer));
    const section = await part("Find a player", "/panel/players?q=zz");
    expect(await section.findByText(text)).toBeInTheDocument();
  });
});

describe("a player's profile", () => {
  test("account, money, entries, sessions and what admins did", async () => {
    shown();
    const account = await part("otieno", AT);
    expect(account.getByText("Wallet").nextSibling).toHaveTextContent("KSh 1,250");
    expect(account.getByText("FPL ID").nextSibling).toHaveTextContent("118670, Nairobi Rangers");
    const region = (name: string) => within(screen.getByRole("region", { name }));
    expect(region("Money").getByText("−KSh 50")).toBeInTheDocument();
    const [deposit, entry] = region("Prompts of the last eight days").getAllByRole("listitem");
    expect(deposit).toHaveTextContent(/^KSh 500 · SUCCESS ?Deposit · 0110345678 ?Thu 20 Aug, 12:00 ?KSh 0 credited ?Receipt SGL7RT61SV ?Id c3$/);
    expect(entry).toHaveTextContent(/^KSh 53 · FAILED ?Entry of KSh 50 into gameweek 3 · 0712345678 ?Thu 20 Aug, 12:00 ?The PIN was wrong\. ?Id c2$/);
    expect(region("Entries").getByText("Won KSh 450, rank 1 with 78 points")).toBeInTheDocument();
    expect(region("Entries").getByText("+KSh 400")).toBeInTheDocument();
    expect(await region("Withdrawals").findByText("Nothing was withdrawn yet.")).toBeInTheDocument();
    expect(region("Sessions").getByText("Active")).toBeInTheDocument();
    expect(region("Sessions").getByText("Over")).toBeInTheDocument();
    expect(region("Acts of admins").getByText("Confirmed a typed code")).toBeInTheDocument();
  });

  test("times of other years have their year", async () => {
    const before = "2024-11-02T09:00:00Z";
    shown({
      ...PROFILE,
      player: { ...OTIENO, createdAt: before },
      passwordResetAt: "2025-12-31T22:30:00Z",
      ownNumbers: [{ phone: "0712345678", since: before }],
      transactions: [{ _id: "t2", kind: "debt-paid", amount: -50, balanceAfter: 1250, at: before }],
      sessions: [{ createdAt: before, lastUsedAt: at, stands: true }],
    });
    const account = await part("otieno", AT);
    expect(await account.findByText("Sat 2 Nov 2024, 12:00")).toBeInTheDocument();
    // In Kenya that year had begun.
    expect(account.getByText("Password reset").nextSibling).toHaveTextContent(/^Thu 1 Jan, 01:30$/);
    const region = (name: string) => within(screen.getByRole("region", { name }));
    expect(region("Own numbers").getByText("Since Sat 2 Nov 2024, 12:00")).toBeInTheDocument();
    expect(region("Sessions").getByText("Begun Sat 2 Nov 2024, 12:00 · last used Thu 20 Aug, 12:00")).toBeInTheDocument();
    expect(region("Money").getByText("Sat 2 Nov 2024, 12:00")).toBeInTheDocument();
    expect(region("Money").getByText("Paid what was owed")).toBeInTheDocument();
  });

  test("lists that the server cuts off say so", async () => {
    const [session, entry, act] = [PROFILE.sessions[0]!, PROFILE.entries.entries[0]!, PROFILE.acts[0]!];
    const gameweek = (i: number) => `2025-${String(i + 1).padStart(2, "0")}`;
    shown({
      ...PROFILE,
      sessions: Array.from({ length: 50 }, (_, i) => ({ ...session, createdAt: new Date(Date.parse(at) - i * 60_000).toISOString() })),
      entries: { profitAndLoss: 0, entries: Array.from({ length: 50 }, (_, i) => ({ ...entry, gameweek: gameweek(i) })) },
      acts: Array.from({ length: 49 }, (_, i) => ({ ...act, _id: `a${i}` })),
    });
    await part("otieno", AT);
    const region = (name: string) => within(screen.getByRole("region", { name }));
    for (const name of ["Sessions", "Entries"]) expect(region(name).getByText("The newest 50 are shown.")).toBeInTheDocument();
    expect(region("Acts of admins").queryByText("The newest 50 are shown.")).not.toBeInTheDocument();
  });

  test("a number that has changed hands is released, with a reason", async () => {
    let own = PROFILE.ownNumbers;
    server.use(http.get(url(PATH), () => json({ ...PROFILE, ownNumbers: own })));
    const sent = taking("post", `${PATH}/release-number`, () => {
      own = [];
      return json(own);
    });
    const numbers = await part("Own numbers", AT);
    expect(numbers.getByText("Account at the paybill: 5720014")).toBeInTheDocument();
    await userEvent.click(numbers.getByRole("button", { name: "Release 0712345678" }));
    const question = await dialog("Release the number");
    await userEvent.click(question.getByRole("button", { name: "Release" }));
    expect(question.getByRole("alert")).toHaveTextContent("Give the reason");
    await userEvent.type(question.getByLabelText("Reason"), "Changed hands.");
    await userEvent.click(question.getByRole("button", { name: "Release" }));
    expect(await numbers.findByText("0712345678 is no longer otieno's.")).toBeInTheDocument();
    expect(await numbers.findByText("No prompt to a number of this player's was paid yet.")).toBeInTheDocument();
    expect(sent).toEqual([{ phone: "0712345678", reason: "Changed hands." }]);
  });

  test("prizes are released as they are shown, and not one that has come in since", async () => {
    const prize = { league: "2026-38-50-00003", fplId: "118670", left: 200 };
    let prizes = [prize, { ...prize, left: 250 }];
    server.use(http.get(url(PATH), () => json({ ...PROFILE, unprovedPrizes: prizes })));
    const sent = taking("patch", PATH, () => json(OTIENO));
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "Release prizes" }));
    const question = await dialog("Release the prizes");
    expect(question.getByText(/^otieno, KSh 450: /)).toBeInTheDocument();
    prizes = [...prizes, { ...prize, left: 100 }];
    await userEvent.click(account.getByRole("button", { name: "Refresh" }));
    expect(await account.findByText(/KSh 100 \(team 118670/)).toBeInTheDocument();
    await userEvent.type(question.getByLabelText("Reason"), "It is theirs.");
    await userEvent.click(question.getByRole("button", { name: "Release" }));
    expect(await account.findByText("The prizes of otieno can be withdrawn.")).toBeInTheDocument();
    expect(sent).toEqual([{ releasePrizes: true, prizesLeft: 450, reason: "It is theirs." }]);
  });

  test("what is owed is said, with what it means", async () => {
    shown({ ...PROFILE, wallet: 0, owed: 250 });
    const account = await part("otieno", AT);
    expect(account.getByText(/^Owes KSh 250: it was taken back after it was used\./)).toBeInTheDocument();
  });

  test("a wallet is corrected with a reason; tried again after a lost answer it is the same correction", async () => {
    const sent: Record<string, unknown>[] = [];
    server.use(
      http.post(url(`${PATH}/corrections`), async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return sent.length === 1
          ? told(503, "Something went wrong on our side.")
          : json({
              wallet: 0,
              owed: 0,
              writtenOff: 150,
              transaction: { _id: "correction#1", kind: "correction", amount: -1250, balanceAfter: 0, at },
            });
      }),
    );
    shown();
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "Correct wallet" }));
    const asked = within(await screen.findByRole("dialog", { name: "Correct the wallet" }));
    await userEvent.click(asked.getByRole("button", { name: "Correct the wallet" }));
    expect(asked.getByText("Give the reason: the player reads it.")).toBeInTheDocument();
    await userEvent.type(asked.getByLabelText(/^Amount/), "-1400");
    await userEvent.type(asked.getByLabelText("Reason"), "Confirmed twice.");
    await userEvent.click(asked.getByRole("button", { name: "Correct the wallet" }));
    await userEvent.click(await asked.findByRole("button", { name: "Correct the wallet" }));
    const text = "The wallet is corrected: it holds KSh 0. KSh 150 was not there and is written off.";
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({ amount: -1400, reason: "Confirmed twice." });
    expect(sent[1]).toEqual(sent[0]);
  });

  test("money pages", async () => {
    server.use(
      http.get(url(PATH), ({ request }) =>
        new URL(request.url).searchParams.get("cursor")
          ? json({ ...PROFILE, transactions: [{ _id: "t1", kind: "deposit", amount: 1300, balanceAfter: 1300, receipt: "NLJ7RT61SV", at }] })
          : json(PROFILE, { headers: { "x-next-cursor": "p2" } }),
      ),
    );
    const section = await part("Money", AT);
    await userEvent.click(section.getByRole("button", { name: "Show more" }));
    expect(await section.findByText("Receipt NLJ7RT61SV")).toBeInTheDocument();
    expect(section.getByText("−KSh 50")).toBeInTheDocument();
  });

  test("suspending asks for a reason, says so, and can be ended", async () => {
    const change = shown();
    const sent: unknown[] = [];
    server.use(
      http.patch(url(PATH), async ({ request }) => {
        const body = (await request.json()) as { suspended: boolean };
        sent.push(body);
        return json(change({ suspended: body.suspended }));
      }),
    );
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "Suspend" }));
    const question = await dialog("Suspend the player");
    await userEvent.click(question.getByRole("button", { name: "Suspend" }));
    expect(question.getByRole("alert")).toHaveTextContent("Give the reason: it is kept in the audit log.");
    await userEvent.type(question.getByLabelText("Reason"), "Two accounts.");
    await userEvent.click(question.getByRole("button", { name: "Suspend" }));
    expect(await account.findByText("otieno is suspended.")).toBeInTheDocument();
    await userEvent.click(await account.findByRole("button", { name: "End suspension" }));
    const end = await dialog("End the suspension");
    await userEvent.type(end.getByLabelText("Reason"), "It was a mistake.");
    await userEvent.click(end.getByRole("button", { name: "End suspension" }));
    expect(await account.findByText("otieno is no longer suspended.")).toBeInTheDocument();
    expect(sent).toEqual([
      { suspended: true, reason: "Two accounts." },
      { suspended: false, reason: "It was a mistake." },
    ]);
  });

  test("freezing says what rests, and can be ended", async () => {
    const change = shown();
    const sent: unknown[] = [];
    server.use(
      http.patch(url(PATH), async ({ request }) => {
        const body = (await request.json()) as { frozen: boolean };
        sent.push(body);
        return json(change({ frozen: body.frozen }));
      }),
    );
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "Freeze" }));
    const question = await dialog("Freeze the account");
    await userEvent.type(question.getByLabelText("Reason"), "A thief.");
    await userEvent.click(question.getByRole("button", { name: "Freeze" }));
    expect(await account.findByText("otieno is frozen.")).toBeInTheDocument();
    expect(await account.findByText(/^Frozen: nobody logs in/)).toBeInTheDocument();
    await userEvent.click(await account.findByRole("button", { name: "Unfreeze" }));
    const end = await dialog("Unfreeze the account");
    await userEvent.type(end.getByLabelText("Reason"), "It was the player.");
    await userEvent.click(end.getByRole("button", { name: "Unfreeze" }));
    expect(await account.findByText("otieno is no longer frozen.")).toBeInTheDocument();
    expect(sent).toEqual([
      { frozen: true, reason: "A thief." },
      { frozen: false, reason: "It was the player." },
    ]);
  });

  test("of a closed account it is said when it is erased, and that no end of a freeze opens it", async () => {
    shown({ ...PROFILE, player: { ...OTIENO, frozen: true, closedAt: "2026-08-13T09:00:00Z", erasedAt: at } });
    const account = await part("otieno", AT);
    const closed = /^Closed by its player on 13 Aug 2026: nobody logs in\. Everything personal is erased from 20 Aug 2026 on, unless/;
    expect(account.getByText(closed)).toBeInTheDocument();
    await userEvent.click(account.getByRole("button", { name: "Unfreeze" }));
    const question = await dialog("Unfreeze the account");
    expect(question.getByText(/^otieno: Its player has closed this account: this does not open it, .* With KSh 60 or more/)).toBeInTheDocument();
    expect(question.queryByText(/can log in, enter/)).not.toBeInTheDocument();
  });

  test.each([
    ["End suspension", "End the suspension", { suspended: true, ageProofWanted: true }, "The suspension ends. The player still cannot enter."],
    ["Unfreeze", "Unfreeze the account", { frozen: true, suspended: true }, "The player can log in again, and still cannot enter."],
    [
      "Age was proved",
      "The proof of age was given",
      { ageProofWanted: true, stoppedUntil: "2027-02-20T09:00:00Z" },
      "The player still cannot enter. By mail they are told only that they have shown their age.",
    ],
    ["Age was proved", "The proof of age was given", { ageProofWanted: true }, "The player can enter and deposit again, and is told so by mail."],
  ])("%s: that the player can play again is said only where nothing else keeps them from it (%#)", async (button, title, marks, text) => {
    shown({ ...PROFILE, player: { ...OTIENO, ...marks } });
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: button }));
    const question = await dialog(title);
    expect(question.getByText(`otieno: ${text}`)).toBeInTheDocument();
  });

  test("another team: a number and a reason; a refusal in the server's words keeps the form", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const change = shown();
    let taken = true;
    const sent = taking("patch", PATH, () => (taken ? told(409, "Another account has this team.") : json(change({ fplId: "4711" }))));
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "Change team" }));
    const question = await dialog("Change the team");
    await userEvent.type(question.getByLabelText("FPL ID"), "abc");
    await userEvent.type(question.getByLabelText("Reason"), "Typed wrongly.");
    await userEvent.click(question.getByRole("button", { name: "Change team" }));
    expect(question.getByRole("alert")).toHaveTextContent("FPL ID must be a numeric value.");
    await userEvent.clear(question.getByLabelText("FPL ID"));
    await userEvent.type(question.getByLabelText("FPL ID"), "4711");
    await userEvent.click(question.getByRole("button", { name: "Change team" }));
    expect(await question.findByText("Another account has this team.")).toBeInTheDocument();
    expect(question.getByLabelText("FPL ID")).toHaveValue("4711");
    taken = false;
    await userEvent.click(question.getByRole("button", { name: "Change team" }));
    expect(await account.findByText("otieno plays with team 4711 now.")).toBeInTheDocument();
    expect(sent.at(-1)).toEqual({ fplId: "4711", reason: "Typed wrongly." });
  });

  test("sessions are ended, with a reason", async () => {
    const change = shown();
    const sent = taking("patch", PATH, () => json(change({})));
    const account = await part("otieno", AT);
    await userEvent.click(account.getByRole("button", { name: "End sessions" }));
    const question = await dialog("End all sessions");
    await userEvent.type(question.getByLabelText("Reason"), "The phone was stolen.");
    await userEvent.click(question.getByRole("button", { name: "End sessions" }));
    expect(await account.findByText("Every session of otieno has ended.")).toBeInTheDocument();
    expect(sent).toEqual([{ endSessions: true, reason: "The phone was stolen." }]);
  });

  test("nobody there, or not to be read: it says so", async () => {
    server.use(http.get(url(PATH), () => told(404, "There is no such player.")));
    openAt(AT);
    expect(await screen.findByText("There is no such player.")).toBeInTheDocument();
  });
});
