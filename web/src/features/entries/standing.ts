/** Where a player stands in a gameweek: the one place that decides it, for every screen. */
import { isInPlay, stateOf } from "../../lib/entry-outcome";
import { leagueNumber } from "../../lib/gameweek";
import { ksh } from "../../lib/money";
import { sentences } from "../../lib/sentences";
import { tooLateInWords } from "../../lib/too-late";
import type { Schemas } from "../../api/client";
import { answerInWords } from "../../api/refusal";
import { beingLookedAt } from "../../api/set-aside";
import type { Entry } from "./entries";
import { msg, str } from "../../lib/i18n";

export type Prompt = Schemas["Prompt"];

/** `amount`: of the entry, made or on its way. */
export type Standing =
  | { is: "unknown" | "unread" | "out" }
  /** `paid`: what M-Pesa takes, with the excise; `aside`: a person looks at it; `tooLate`: it makes no entry any more. */
  | { is: "waiting"; amount: number; paid: number; aside: boolean; tooLate: boolean }
  /** `entry`: as far as the entries have been read since it was made. */
  | { is: "in"; amount: number; entry?: Entry }
  | { is: "playing" | "refunded" | "won" | "lost"; amount: number; entry: Entry };

/** Where the status does not say the season: an entry into this gameweek is not older than this at its deadline. */
const SAME_SEASON_MS = 60 * 86_400_000;

export type Current = { season?: number | null; gameweek?: number | null; deadline?: string | null; state?: string | null } | undefined;

/** A player's entry into a gameweek, among all of theirs. */
export function entryInto(current: Current, entries: readonly Entry[]): Entry | undefined {
  if (!current?.deadline) return undefined;
  return entries.find((entry) => entry.number === current.gameweek && isOfSeason(entry, current));
}

/** Whether an entry is of the season that is played: numbers come again each season. */
export function isOfSeason({ season, at }: Entry, current: Current): boolean {
  if (!current?.deadline) return true;
  // The edge may have kept the status of a server that did not say it.
  return current.season ? season === current.season : Date.parse(current.deadline) - Date.parse(at) < SAME_SEASON_MS;
}

/**
 * `prompts`: the last day's. Both lists are undefined while they are not known. `tooLate`: what is not decided by now makes no
 * entry any more.
 */
export function standingIn(current: Current, entries: readonly Entry[] | undefined, prompts: readonly Prompt[] | undefined, tooLate = false): Standing {
  if (!current || !entries) return { is: "unknown" };
  const entry = entryInto(current, entries);
  if (entry) return standingOf(entry);
  if (!prompts) return { is: "unknown" };
  const made = prompts.find((prompt) => prompt.entered && Boolean(prompt.entryAmount) && prompt.entryGameweek === current.gameweek);
  if (made?.entryAmount) return { is: "in", amount: made.entryAmount };
  const isOfNow = ({ entryGameweek }: Prompt) => (entryGameweek ?? current.gameweek) === current.gameweek;
  const asked = prompts.find((prompt) => prompt.state === "PENDING" && Boolean(prompt.entryAmount) && isOfNow(prompt));
  if (!asked?.entryAmount) return { is: "out" };
  return { is: "waiting", amount: asked.entryAmount, paid: asked.amount, aside: isAside(asked), tooLate };
}

/** Whether the player has joined, whatever came of it. */
export const hasJoined = (standing: Standing): standing is Extract<Standing, { amount: number; entry?: Entry }> =>
  "amount" in standing && standing.is !== "waiting";

/**
 * The entry into another gameweek that is still to be told of: one in play, or else what came of the newest one, until the
 * player joins again or the next gameweek is over.
 */
export function entryBefore(current: Current, entries: readonly Entry[] | undefined): Entry | undefined {
  if (!current || !entries) return undefined;
  const own = entryInto(current, entries);
  const others = entries.filter((entry) => entry !== own);
  const inPlay = others.find(isInPlay);
  const [last] = others;
  if (inPlay || own || !last) return inPlay;
  if (!current.gameweek || !current.deadline) return last;
  return last.number === current.gameweek - 1 && isOfSeason(last, current) ? last : undefined;
}

/** Where a player stands, or stood, with one entry. */
export const standingOf = (entry: Entry): Standing => ({ is: stateOf(entry), amount: entry.amount, entry });

/** Set aside: it is not decided, and the server says why. */
export const isAside = ({ state, reason }: Prompt) => state === "PENDING" && Boolean(reason);

/** Whether nothing more comes of it. */
export const isOver = ({ is }: Pick<Standing, "is">) => is === "refunded" || is === "won" || is === "lost";

/** How many have joined is told up to a minute late: the player's own entry counts at once. */
export function withOwnEntry<T extends { entryAmount: number; entries: number }>(offers: readonly T[] | undefined, standing: Standing) {
  if (standing.is !== "in") return offers;
  return offers?.map((offer) => (offer.entryAmount === standing.amount ? { ...offer, entries: Math.max(offer.entries, 1) } : offer));
}

/** What of a prize or a refund is not in the wallet, as it has paid what was owed; null where nothing was. */
export function towardsDebt({ prize, refund, towardsDebt: paid }: Entry): string | null {
  if (!paid) return null;
  const left = prize + refund - paid;
  return left > 0
    ? msg(str`${ksh(paid)} of it has gone towards what you owed, ${ksh(left)} is in your wallet.`)
    : msg("It has gone towards what you owed.");
}

/** Where the player stands, in a sentence. The line is there before it is known, so that nothing moves. */
export function standingInWords(standing: Standing, open: boolean): string {
  switch (standing.is) {
    case "unknown":
      return "\u00a0";
    case "unread":
      return msg("Whether you are in could not be read just now. It is tried again.");
    case "out":
      return open ? msg("You have not joined yet.") : msg("You did not join.");
    case "waiting":
      if (standing.aside) return beingLookedAt(standing.paid);
      if (standing.tooLate) return sentences(msg("You did not join."), tooLateInWords(standing.paid));
      return msg(str`Waiting for M-Pesa: ${money(standing.paid)}.`);
    case "in":
      return msg(str`You are in: ${money(standing.amount)}.`);
    case "playing":
      return msg(str`You are playing: ${money(standing.amount)}, Group #${leagueNumber(standing.entry.league ?? "")}.`);
    case "won":
      return sentences(msg(str`You won ${money(standing.entry.prize)}.`), towardsDebt(standing.entry));
    case "lost":
      return typeof standing.entry.points === "number"
        ? msg(str`No prize: rank ${standing.entry.rank} with ${standing.entry.points} points.`)
        : msg(str`No prize: rank ${standing.entry.rank}, as your team could not be read.`);
    case "refunded":
      return sentences(
        msg(str`Refunded ${money(standing.entry.refund)}.`),
        answerInWords(standing.entry.refundReason),
        towardsDebt(standing.entry),
      );
  }
}

/** The same for the deadline's card; `isIn`: there is, or was, something to win in it. */
export const ownLine = (standing: Standing, open: boolean) => ({
  text: standingInWords(standing, open),
  isIn: standing.is === "in" || standing.is === "playing" || standing.is === "won",
});

/** Not broken between the word and the figure. */
const money = (kes: number) => ksh(kes).replace(" ", "\u00a0");
