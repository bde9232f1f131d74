import { describe, expect, test } from "vitest";
import type { Entry } from "./entries";
import { entryBefore, hasJoined, ownLine, standingIn, standingInWords, withOwnEntry, type Prompt } from "./standing";

const WEEK = { season: 2026, gameweek: 3, deadline: "2026-08-22T10:30:00Z" };
const entry = (change: Partial<Entry> = {}): Entry => ({ gameweek: "2026-03", season: 2026, number: 3, amount: 50, prize: 0, refund: 0, at: "2026-08-20T08:00:00Z", ...change });
const prompt = (change: object) => ({ checkoutId: "c1", amount: 50, entryAmount: 50, state: "PENDING" as const, entered: false, at: "2026-08-20T08:00:00Z", ...change });
const LEAGUE = "2026-03-50-00007";

describe("where a player stands in the gameweek", () => {
  test.each([
    ["nothing is known", undefined, [], "unknown", "\u00a0"],
    ["prompts are not read yet: one may wait", [], undefined, "unknown", "\u00a0"],
    ["in, before prompts are read", [entry()], undefined, "in", "You are in: KSh 50."],
    ["nobody has paid", [], [], "out", "You have not joined yet."],
    ["a prompt waits for its PIN", [], [prompt({})], "waiting", "Waiting for M-Pesa: KSh 50."],
    ["a prompt waits that takes the excise too", [], [prompt({ amount: 52 })], "waiting", "Waiting for M-Pesa: KSh 52."],
    ["a prompt is set aside", [], [prompt({ reason: "M-Pesa has said nothing for a day." })], "waiting", "Your payment of KSh 50 is being looked at by a person. Do not pay again."],
    ["a prompt for another gameweek's entry is looked at", [], [prompt({ entryGameweek: 2, reason: "M-Pesa has said nothing for a day." })], "out", "You have not joined yet."],
    ["a deposit waits for its PIN", [], [prompt({ entryAmount: null })], "out", "You have not joined yet."],
    ["a prompt failed", [], [prompt({ state: "FAILED" })], "out", "You have not joined yet."],
    ["a prompt made the entry, and the entries are older", [], [prompt({ state: "SUCCESS", entered: true, entryGameweek: 3 })], "in", "You are in: KSh 50."],
    ["a prompt made another gameweek's entry", [], [prompt({ state: "SUCCESS", entered: true, entryGameweek: 2 })], "out", "You have not joined yet."],
    ["in, whatever prompts say", [entry()], [prompt({})], "in", "You are in: KSh 50."],
    ["refunded", [entry({ refund: 50, refundReason: "Nobody else joined." })], [], "refunded", "Refunded KSh 50. Nobody else joined."],
    ["refunded, and it was owed", [entry({ refund: 50, towardsDebt: 50 })], [], "refunded", "Refunded KSh 50. It has gone towards what you owed."],
    ["won, and a part was owed", [entry({ league: LEAGUE, rank: 1, prize: 450, towardsDebt: 60 })], [], "won", "You won KSh 450. KSh 60 of it has gone towards what you owed, KSh 390 is in your wallet."],
    ["drawn", [entry({ league: LEAGUE })], [], "playing", "You are playing: KSh 50, Group #7."],
    ["won", [entry({ league: LEAGUE, rank: 1, points: 61, prize: 450 })], [], "won", "You won KSh 450."],
    ["lost", [entry({ league: LEAGUE, rank: 4, points: 40 })], [], "lost", "No prize: rank 4 with 40 points."],
    ["lost with a team that could not be read", [entry({ league: LEAGUE, rank: 2, points: null })], [], "lost", "No prize: rank 2, as your team could not be read."],
    ["another gameweek's entry", [entry({ number: 2 })], [], "out", "You have not joined yet."],
    ["an entry of a season before", [entry({ season: 2025 })], [], "out", "You have not joined yet."],
    ["an entry that was made months before", [entry({ at: "2026-05-20T08:00:00Z" })], [], "in", "You are in: KSh 50."],
  ])("%s", (_what, entries, prompts, is, words) => {
    const standing = standingIn(WEEK, entries, prompts);
    expect(standing.is).toBe(is);
    expect(standingInWords(standing, true).replace(/(?<=KSh)\u00a0/g, " ")).toBe(words);
  });

  test.each([
    ["2026-08-20T08:00:00Z", "in"],
    ["2025-08-20T08:00:00Z", "out"],
  ])("where the status does not say the season, the time of the entry tells it (%#)", (at, is) => {
    expect(standingIn({ ...WEEK, season: null }, [entry({ at })], []).is).toBe(is);
  });

  test("what a prompt is to pay for is its entry's amount, whatever the excise", () => {
    expect(standingIn(WEEK, [], [prompt({ amount: 105, entryAmount: 100 })])).toMatchObject({ is: "waiting", amount: 100 });
  });

  test("where there is no gameweek nobody is in, and that is known", () => {
    expect(standingIn({ gameweek: null, deadline: null }, [entry()], []).is).toBe("out");
    expect(standingIn(undefined, [entry()], []).is).toBe("unknown");
  });

  test.each([
    [entry(), true],
    [entry({ league: LEAGUE }), true],
    [entry({ league: LEAGUE, rank: 1, prize: 450 }), true],
    [entry({ league: LEAGUE, rank: 4 }), false],
    [entry({ refund: 50 }), false],
  ])("only who is in, or has won, is shown as in (%#)", (own, isIn) => {
    expect(ownLine(standingIn(WEEK, [own], []), true).isIn).toBe(isIn);
  });

  test("the own entry counts at once, though how many have joined is told later", () => {
    const offers = [50, 100].map((entryAmount) => ({ entryAmount, entries: 0 }));
    const counted = (standing: Parameters<typeof withOwnEntry>[1]) => withOwnEntry(offers, standing)?.map(({ entries }) => entries);
    expect(counted(standingIn(WEEK, [entry()], []))).toEqual([1, 0]);
    expect(counted(standingIn(WEEK, [entry({ refund: 50 })], []))).toEqual([0, 0]);
    expect(withOwnEntry([{ entryAmount: 50, entries: 7 }], standingIn(WEEK, [entry()], []))).toEqual([{ entryAmount: 50, entries: 7 }]);
  });

  const UNDECIDED = "Your payment of KSh 52 is not decided yet. If it was paid, the money comes to your wallet.";
  const ASIDE = "Your payment of KSh 52 is being looked at by a person. Do not pay again.";
  test.each<[string, Entry[], Prompt[], boolean, string]>([
    ["nobody can join any more", [], [], false, "You did not join."],
    ["nor is it said otherwise once the list is fixed", [], [], true, "You did not join."],
    ["a prompt that was sent in time may still be paid", [], [prompt({ amount: 52 })], false, "Waiting for M-Pesa: KSh 52."],
    ["once the list is fixed it makes no entry any more", [], [prompt({ amount: 52, entryGameweek: 3 })], true, `You did not join. ${UNDECIDED}`],
    ["one that is set aside is a person's to decide", [], [prompt({ amount: 52, reason: "M-Pesa has said nothing for a day." })], true, ASIDE],
    ["a deposit that waits is no entry", [], [prompt({ entryAmount: null })], true, "You did not join."],
    ["who is in is in, whatever prompts say", [entry()], [prompt({})], true, "You are in: KSh 50."],
    ["so is whom a prompt has entered", [], [prompt({ state: "SUCCESS", entered: true, entryGameweek: 3 })], true, "You are in: KSh 50."],
  ])("after the deadline %s", (_what, entries, prompts, tooLate, words) => {
    expect(standingInWords(standingIn(WEEK, entries, prompts, tooLate), false).replace(/(?<=KSh)\u00a0/g, " ")).toBe(words);
  });

  test("who waited for a payment that came too late has not joined", () => {
    const standing = standingIn(WEEK, [], [prompt({})], true);
    expect(hasJoined(standing)).toBe(false);
    expect(ownLine(standing, false).isIn).toBe(false);
  });
});

describe("the entry into another gameweek that is still told of", () => {
  const over = entry({ number: 2, league: LEAGUE, rank: 4, points: 40, at: "2026-08-14T08:00:00Z" });
  const played = entry({ number: 2, league: LEAGUE, at: "2026-08-14T08:00:00Z" });
  const older = entry({ number: 1, league: LEAGUE, at: "2026-08-07T08:00:00Z" });

  test.each<[string, object | undefined, Entry[] | undefined, Entry | undefined]>([
    ["nothing is known yet", WEEK, undefined, undefined],
    ["the one before is over, and the player has not joined again", WEEK, [over], over],
    ["the player has joined again", WEEK, [entry(), over], undefined],
    ["it is still played when the next one is joined", WEEK, [entry(), played], played],
    ["an older one is still played", WEEK, [over, older], older],
    ["it was two gameweeks ago", { ...WEEK, gameweek: 4 }, [over], undefined],
    ["it was in a former season", WEEK, [{ ...over, season: 2025 }], undefined],
    ["the season is over", { gameweek: null, deadline: null }, [over], over],
    ["there is none", WEEK, [], undefined],
  ])("%s", (_what, current, entries, told) => {
    expect(entryBefore(current, entries)).toBe(told);
  });
});
