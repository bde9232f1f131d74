/** Limits that a player sets, and stopping for a time. */
import { api } from "../../api/client";
import type { LimitName } from "../../api/own-limits";
import { answerOf } from "../../api/refusal";
import { msg } from "../../lib/i18n";
import { isPartOfShilling, parseAmount, wholeShillings } from "../../lib/money";
import { parsed, refused, type Parsed } from "../../lib/parsed";

export const setLimit = (limit: LimitName, amount: number | null) =>
  answerOf(api.PUT("/api/me/limits", { body: { limits: { [limit]: amount }, confirm: [] } }));

export const confirmRaise = (limit: LimitName) => answerOf(api.PUT("/api/me/limits", { body: { limits: {}, confirm: [limit] } }));

export const nameOf = (limit: LimitName): string =>
  ({
    "deposit-day": msg("Deposits a day"),
    "deposit-week": msg("Deposits a week"),
    "deposit-month": msg("Deposits a month"),
    "entry-day": msg("Entries a day"),
    "entry-week": msg("Entries a week"),
    "entry-month": msg("Entries a month"),
    "loss-month": msg("Losses a month"),
  })[limit];

/** A limit as typed: nothing is none, and 0 is one. */
export function readLimit(typed: string): Parsed<number | null> {
  const text = typed.trim();
  if (text === "") return parsed(null);
  if (/^0+$/.test(text)) return parsed(0);
  const amount = parseAmount(text);
  if (amount === null) return refused(isPartOfShilling(text) ? wholeShillings() : msg("Enter whole shillings, or nothing for no limit."));
  return amount > 10_000_000 ? refused(msg("A limit is at most KSh 10,000,000.")) : parsed(amount);
}

/** For how long one can stop; the exclusions last. */
export const STOPS = ["1d", "1w", "2w", "4w", "6w", "6m", "1y", "5y"] as const;
export type Stop = (typeof STOPS)[number];

export const stopName = (stop: Stop): string =>
  ({
    "1d": msg("A break of 1 day"),
    "1w": msg("A break of 1 week"),
    "2w": msg("A break of 2 weeks"),
    "4w": msg("A break of 4 weeks"),
    "6w": msg("A break of 6 weeks"),
    "6m": msg("Self-exclusion for 6 months"),
    "1y": msg("Self-exclusion for 1 year"),
    "5y": msg("Self-exclusion for 5 years"),
  })[stop];

export const stopPlaying = (stop: Stop, password: string, code: string) =>
  answerOf(api.POST("/api/me/exclusion", { body: { for: stop, password, code: code || null } }));
