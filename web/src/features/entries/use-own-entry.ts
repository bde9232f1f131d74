import { useInfiniteQuery } from "@tanstack/react-query";
import { useSession } from "../../lib/session";
import { entriesQuery, type Entry } from "./entries";

/** Numbers come again each season: an entry into this gameweek is not older than this at its deadline. */
const SAME_SEASON_MS = 60 * 86_400_000;

type Current = { gameweek?: number | null; deadline?: string | null } | undefined;

/** The player's entry into the current gameweek; null where there is none, undefined while that is not known. */
export function useOwnEntry(current: Current): Entry | null | undefined {
  const { data } = useInfiniteQuery({ ...entriesQuery, enabled: useSession() !== null });
  if (!data || !current?.deadline) return undefined;
  const deadline = Date.parse(current.deadline);
  const isIt = ({ number, at }: Entry) => number === current.gameweek && deadline - Date.parse(at) < SAME_SEASON_MS;
  return data.pages.flatMap((page) => page.entries).find(isIt) ?? null;
}
