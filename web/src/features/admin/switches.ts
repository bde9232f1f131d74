import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { gameweekStatusQuery } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import { switchesQuery } from "../../api/switches";
import { useAct } from "../../panel/use-act";

export type Pausable = "entries" | "payouts";
export type Switch = Schemas["SwitchView"];

/** A turn that is asked about, and since when it was paused as it was seen then. */
export type Turn = { what: Pausable; pause: boolean; since: Switch["since"] };

/** What is paused, and pausing or resuming it with a reason. */
export function useSwitches() {
  const client = useQueryClient();
  const { data, isError, isRefetchError, isRefetching, refetch } = useQuery(switchesQuery);
  const { outcome, busy, act, forget } = useAct();

  const turn = async ({ what, pause, since }: Turn, reason: string) => {
    const change = what === "entries" ? { entriesPaused: pause } : { payoutsPaused: pause };
    // A pause that has come meanwhile, of another admin's or of the books, stays.
    const body = { ...change, reason, ...(since ? { since } : {}) };
    const done = await act(async () => {
      const now = await answerOf(api.PUT("/api/admin/switches", { body }));
      client.setQueryData(switchesQuery.queryKey, now);
      const name = what === "entries" ? "Entries" : "Payouts";
      return `${name} ${now[what].paused ? "are paused" : "go on"}.`;
    }, "The switch was not turned. Nothing has changed.");
    // The books say whether payouts are paused.
    for (const queryKey of [switchesQuery.queryKey, gameweekStatusQuery.queryKey, ["books"]]) void client.invalidateQueries({ queryKey });
    return done;
  };

  return {
    switches: data,
    failed: isError && !data,
    stale: isRefetchError,
    refreshing: isRefetching,
    refresh: () => void refetch(),
    outcome,
    busy,
    forget,
    turn,
  };
}
