import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { gameweekStatusQuery } from "../../api/queries";
import { productNow } from "../../lib/clock";

/** The current gameweek, and what is left until its deadline by the product's own clock. */
export function useGameweek() {
  const client = useQueryClient();
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const left = useTimeLeft(status);
  const open = status !== undefined && status.isOpen && (left === null || left > 0);

  // The deadline fell while we watched: the server is asked what is now.
  const over = status?.isOpen === true && left !== null && left <= 0;
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: gameweekStatusQuery.queryKey });
  }, [over, client]);

  return { status, left, open, isError: isError && !status, refetch };
}

type Timed = { deadline?: string | null; clock: Parameters<typeof productNow>[0] } | undefined;

/** Milliseconds to the deadline, counted every second while the page is seen; null without one. */
function useTimeLeft(status: Timed): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick((n) => n + 1);
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return status?.deadline ? Date.parse(status.deadline) - productNow(status.clock) : null;
}
