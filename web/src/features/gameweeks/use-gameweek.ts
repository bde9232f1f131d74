import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ENTRIES, gameweekStatusQuery } from "../../api/queries";
import { useWithin, type Timed } from "../../lib/deadline";

/** So shortly before the deadline a prompt may be paid after it. */
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

/** Whether the deadline has fallen while we watched. When it does, the server is asked what is now. */
function useDeadline(status: (Timed & { isOpen: boolean }) | undefined): boolean {
  const client = useQueryClient();
  const passed = useWithin(status, 0);
  const surprised = passed && status?.isOpen === true;

  useEffect(() => {
    if (!surprised) return;
    void client.invalidateQueries({ queryKey: gameweekStatusQuery.queryKey });
    // Another phone of the player's may have joined meanwhile.
    void client.invalidateQueries({ queryKey: ENTRIES });
  }, [surprised, client]);
  return passed;
}
