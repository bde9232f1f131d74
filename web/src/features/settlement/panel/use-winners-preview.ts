import { useQuery } from "@tanstack/react-query";
import { Refusal } from "../../../api/refusal";
import { previewQuery, type Preview } from "../../../panel/winners-preview";

/** What the next press would pay, as it was read last. */
export function usePreview() {
  const { data, error, dataUpdatedAt, isFetching, isRefetchError, refetch } = useQuery(previewQuery);
  // There is nothing to play, which is an answer too.
  const none = error instanceof Refusal && error.status === 400 ? (error.told ?? "There is no gameweek to end.") : undefined;
  const asOf = (asked: number): Asked => {
    if (dataUpdatedAt < asked && (isFetching || !error)) return "reading";
    if (none) return { none };
    // A later reading that fails takes nothing away from the one that was asked for.
    if (data && dataUpdatedAt >= asked) return data;
    return error || !data ? "unread" : data;
  };
  return {
    preview: none ? undefined : data,
    stale: isRefetchError && !none,
    refreshing: isFetching,
    refresh: () => void refetch(),
    asOf,
  };
}

/** What a press would pay, read since it was asked about: figures of before decide nothing. */
export type Asked = Preview | { none: string } | "reading" | "unread";

/** Whether there is something to settle: before the deadline the next one is still being played for. */
export const isToSettle = ({ state }: Preview) => state !== "open" && state !== "settled";
