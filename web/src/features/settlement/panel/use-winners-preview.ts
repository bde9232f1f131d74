import { useQuery } from "@tanstack/react-query";
import { Refusal } from "../../../api/refusal";
import { previewQuery, type Preview } from "../../../panel/winners-preview";

/** What the next press would pay; why that is not known, where it is not. */
export function usePreview() {
  const { data, error, isFetching, refetch } = useQuery(previewQuery);
  const none = error instanceof Refusal && error.status === 400;
  return {
    preview: data,
    refreshing: isFetching,
    refresh: () => void refetch(),
    /** There is nothing to play, which is an answer too. */
    none,
    unknown: none ? (error.told ?? "There is no gameweek to end.") : data || !error ? undefined : "What it would pay could not be read just now.",
  };
}

/** Whether there is something to settle: before the deadline the next one is still being played for. */
export const isToSettle = ({ state }: Preview) => state !== "open" && state !== "settled";

/** `1 league pays`, `2 leagues pay`. */
export const leaguesPay = (count: number) => (count === 1 ? "1 league pays" : `${count} leagues pay`);
