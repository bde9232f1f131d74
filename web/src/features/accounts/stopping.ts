import { api } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { msg } from "../../lib/i18n";

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
