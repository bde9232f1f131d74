/** A player's own limits, and what they leave: shown beside an amount before it is paid. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { msg, str } from "../lib/i18n";
import { ksh } from "../lib/money";
import { dayYearAndTime } from "../lib/day-and-year";
import { dayName } from "../lib/time";
import { api, type Schemas } from "./client";
import { OWN_LIMITS, userQuery } from "./queries";
import { answerOf } from "./refusal";

export type OwnLimits = Schemas["OwnLimits"];
export type OwnLimit = Schemas["OwnLimitItem"];
export type LimitName = OwnLimit["limit"];

export const limitsQuery = queryOptions({
  queryKey: OWN_LIMITS,
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/limits", { signal })),
  staleTime: 0,
});

const IN_WAY: Record<"deposit" | "entry" | "prompt", (limit: LimitName) => boolean> = {
  deposit: (limit) => limit.startsWith("deposit"),
  entry: (limit) => !limit.startsWith("deposit"),
  prompt: () => true,
};

/**
 * What the player's own limits leave for a deposit, for an entry out of the wallet, or for one that a prompt pays; `null`
 * where none stands in the way. Nothing is read for who has set none.
 */
export function useWhatIsLeft(paying: keyof typeof IN_WAY, shown: boolean): string | null {
  const { data: user } = useQuery(userQuery);
  const { data } = useQuery({ ...limitsQuery, enabled: shown && user?.hasLimits === true });
  const narrowest = (data?.limits ?? [])
    .filter(({ limit, left }) => left !== null && left !== undefined && IN_WAY[paying](limit))
    .sort((one, other) => (one.left ?? 0) - (other.left ?? 0))[0];
  if (!narrowest) return null;
  return msg(str`Your own limit leaves ${ksh(narrowest.left ?? 0)} until ${dayName(narrowest.next)}.`);
}

const SOON_MS = 60_000;
const LONG_MS = 60 * 60_000;

/** In how long the account is read anew, because a stop is over then. No timer waits for months, and a device's clock may be wrong. */
const untilOver = ({ until }: { until: string }) => Math.min(Math.max(Date.parse(until) - Date.now() + 1_000, SOON_MS), LONG_MS);

/**
 * Why the player does not enter just now: they have stopped, have to show their age or to agree to the terms, and deposit
 * nothing either; or are suspended. Where a stop ends while the page is in view, the account is read anew.
 */
export function useNotPlaying(): string | null {
  const { data: user } = useQuery({
    ...userQuery,
    refetchInterval: ({ state }) => (state.data?.stopped ? untilOver(state.data.stopped) : false),
  });
  if (user?.stopped) {
    return msg(str`You have stopped until ${dayYearAndTime(new Date(user.stopped.until))}. Until then you can withdraw, but not enter or deposit.`);
  }
  if (user?.ageProofWanted) {
    return msg("We have asked you to show that you are 18 or older. Until you have, you can withdraw, but not enter or deposit. Please contact us.");
  }
  if (user?.terms.required) {
    return msg("Please agree to our terms first. Until you have, you can withdraw, but not enter or deposit.");
  }
  if (user?.suspended) return msg("Your account is suspended. You can withdraw, but not enter.");
  return null;
}
