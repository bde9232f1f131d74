import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { gameweekStatusQuery } from "../../api/queries";
import { answerOf } from "../../api/refusal";
import { switchesQuery } from "../../api/switches";
import { useAct } from "../../panel/use-act";

export type Pausable = "entries" | "payouts";
export type Switch = Schemas["SwitchView"];

/** What is paused, and pausing or resuming it with a reason. */
export function useSwitches() {
  const client = useQueryClient();
  const { data, isError, isRefetchError, isRefetching, refetch } = useQuery(switchesQuery);
  const { outcome, busy, act, forget } = useAct();

  const turn = async (what: Pausable, paused: boolean, reason: string) => {
    const body = { [what === "entries" ? "entriesPaused" : "payoutsPaused"]: paused, reason };
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
