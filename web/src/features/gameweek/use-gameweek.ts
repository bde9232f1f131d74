import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { gameweekStatusQuery } from "../../api/queries";
import { productNow, type ProductClock } from "../../lib/clock";

/** The current gameweek, and whether it is open by the product's own clock. */
export function useGameweek() {
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const passed = useDeadline(status);
  const open = status !== undefined && status.isOpen && !passed;
  return { status, open, isError: isError && !status, refetch };
}

export type Gameweek = ReturnType<typeof useGameweek>;

type Timed = { isOpen: boolean; deadline?: string | null; clock: ProductClock };

/** Milliseconds until the deadline, by the product's clock; null without one. */
export const untilDeadline = ({ deadline, clock }: Timed): number | null =>
  deadline ? Date.parse(deadline) - productNow(clock) : null;

/** setTimeout counts no further than 24 days. */
const LONGEST_WAIT_MS = 86_400_000;

/** Whether the deadline has fallen while we watched. When it does, the server is asked what is now. */
function useDeadline(status: Timed | undefined): boolean {
  const client = useQueryClient();
  const [, look] = useState(0);
  const left = status ? untilDeadline(status) : null;
  const passed = left !== null && left <= 0;
  const surprised = passed && status?.isOpen === true;

  useEffect(() => {
    if (left === null || passed) return;
    const timer = setTimeout(() => look((n) => n + 1), Math.min(left, LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [left, passed]);
  useEffect(() => {
    if (surprised) void client.invalidateQueries({ queryKey: gameweekStatusQuery.queryKey });
  }, [surprised, client]);

  return passed;
}
