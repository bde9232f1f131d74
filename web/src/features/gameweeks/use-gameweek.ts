import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { gameweekStatusQuery } from "../../api/queries";
import { productNow, type ProductClock } from "../../lib/clock";

/** So shortly before the deadline a prompt may be answered too late. */
const PROMPT_NEEDS_MS = 90_000;

/** The current gameweek, and by the product's own clock: whether it is open, and late for a prompt. */
export function useGameweek() {
  const { data: status, isError, refetch } = useQuery(gameweekStatusQuery);
  const passed = useDeadline(status);
  const late = useWithin(status, PROMPT_NEEDS_MS);
  const open = status !== undefined && status.isOpen && !passed;
  return { status, open, late: open && late, isError: isError && !status, refetch };
}

export type Gameweek = ReturnType<typeof useGameweek>;

type Timed = { isOpen: boolean; deadline?: string | null; clock: ProductClock };

/** Milliseconds until the deadline, by the product's clock; null without one. */
export const untilDeadline = ({ deadline, clock }: Timed): number | null =>
  deadline ? Date.parse(deadline) - productNow(clock) : null;

/** setTimeout counts no further than 24 days. */
const LONGEST_WAIT_MS = 86_400_000;

/** Whether no more than this is left until the deadline; it is looked at again when that begins. */
function useWithin(status: Timed | undefined, ms: number): boolean {
  const [, look] = useState(0);
  const until = status ? untilDeadline(status) : null;
  const left = until === null ? null : until - ms;
  const within = left !== null && left <= 0;

  useEffect(() => {
    if (left === null || within) return;
    const timer = setTimeout(() => look((n) => n + 1), Math.min(left, LONGEST_WAIT_MS));
    return () => clearTimeout(timer);
  }, [left, within]);
  return within;
}

/** Whether the deadline has fallen while we watched. When it does, the server is asked what is now. */
function useDeadline(status: Timed | undefined): boolean {
  const client = useQueryClient();
  const passed = useWithin(status, 0);
  const surprised = passed && status?.isOpen === true;

  useEffect(() => {
    if (surprised) void client.invalidateQueries({ queryKey: gameweekStatusQuery.queryKey });
  }, [surprised, client]);
  return passed;
}
