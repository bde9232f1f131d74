import { useQuery } from "@tanstack/react-query";
import type { useSeen } from "../../components/use-seen";
import type { Amount } from "../../lib/amounts";
import { liveQuery, type League } from "./leagues";

type Live = {
  /** The league as it is now. */
  league: League;
  /** Being asked for the first time, or for the first time since it was settled. */
  loading: boolean;
  /** It has been read by itself: what is not in it is not known. */
  read: boolean;
};

type Sight = Pick<ReturnType<typeof useSeen>, "seen" | "near">;

/** A drawn league, read anew while it is played and on the screen: the list that it came in is everybody's and older. */
export function useLive(league: League, gameweek: number, entryAmount: Amount, { seen, near }: Sight): Live {
  const drawn = league.state !== "provisional";
  const { data, isLoading, isFetching } = useQuery({ ...liveQuery(league, gameweek, entryAmount), enabled: drawn && near });
  const older = !data || (league.state === "settled" && data.state !== "settled");
  return { league: older ? league : { ...data, own: league.own }, loading: drawn && (!seen || isLoading || (older && isFetching)), read: !older };
}
