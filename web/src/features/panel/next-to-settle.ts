/** Which gameweek the next press ends, and what it pays (decisions: shown before it is pressed). */
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { gameweeksQuery } from "../../api/queries";
import { answerOf } from "../../api/refusal";

export type Preview = {
  gameweek: number;
  state: Schemas["GameweekSoFar"]["state"];
  leagues: number;
  /** At most, in KES: what does not divide among winners stays here. */
  toPay: number;
};

const CLOSED = ["closed", "final", "settling"];

/** The oldest gameweek that is closed and not settled; the list is newest first. */
export const nextToSettle = (gameweeks: readonly Schemas["GameweekSoFar"][]) =>
  gameweeks.findLast(({ state }) => CLOSED.includes(state));

/** What a league of so many players pays: what it collected, less the fee rounded down (KES). */
export function payout(players: number, entryAmount: number, feePercent: number): number {
  const collected = players * entryAmount;
  return collected - Math.floor((collected * feePercent) / 100);
}

/** Undefined until it is known; null where no gameweek is closed and unsettled. */
export function usePreview(feePercent: number | undefined): Preview | null | undefined {
  const { data: gameweeks } = useQuery(gameweeksQuery);
  const next = gameweeks && nextToSettle(gameweeks);
  const { data: draw } = useQuery({
    queryKey: ["draw", next?.number],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/gameweeks/{n}/draw", { params: { path: { n: next?.number ?? 0 } }, signal })),
    enabled: next !== undefined,
  });
  if (gameweeks && !next) return null;
  if (!next || !draw || feePercent === undefined) return undefined;
  const leagues = draw.draws.flatMap(({ sizes, entryAmount }) => sizes.map((size) => payout(size, entryAmount, feePercent)));
  return {
    gameweek: next.number,
    state: next.state,
    leagues: leagues.length,
    toPay: leagues.reduce((sum, pays) => sum + pays, 0),
  };
}
