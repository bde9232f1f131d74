import { useQuery } from "@tanstack/react-query";
import type { Amount } from "../../lib/amounts";
import { liveQuery, type League } from "./leagues";

type Live = {
  /** The league as it is now. */
  league: League;
  /** Being asked for the first time. */
  loading: boolean;
};

/** A drawn league, read anew while it is played and seen: the list that it came in is everybody's and older. */
export function useLive(league: League, gameweek: number, entryAmount: Amount, seen: boolean): Live {
  const drawn = league.state !== "provisional";
  const { data, isLoading } = useQuery({ ...liveQuery(league, gameweek, entryAmount), enabled: drawn && seen });
  const older = !data || (league.state === "settled" && data.state !== "settled");
  return { league: older ? league : { ...data, own: league.own }, loading: drawn && (!seen || isLoading) };
}
