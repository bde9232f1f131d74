import { useQuery } from "@tanstack/react-query";
import { gameweeksQuery } from "../../api/queries";

const SOON_MS = 30_000;

type Current = { gameweek?: number | null; state?: string | null } | undefined;

/** The gameweeks so far. The edge keeps them longer than the status: they are read again until they say the same as it. */
export const useGameweeks = (status: Current) =>
  useQuery({
    ...gameweeksQuery,
    refetchInterval: ({ state: { data } }) => {
      if (!data?.length || !status?.gameweek) return false;
      return data.find(({ number }) => number === status.gameweek)?.state !== status.state && SOON_MS;
    },
  });
