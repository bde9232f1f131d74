/** What ending a gameweek would pay, shown before it is pressed (decisions, "The gameweek"). */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf, Refusal } from "../../api/refusal";

export type Preview = Schemas["WinnersPreview"];

export const previewQuery = queryOptions({
  queryKey: ["winners-preview"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/winners", { signal })),
});

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
