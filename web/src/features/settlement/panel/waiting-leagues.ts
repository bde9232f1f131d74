import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { moreOf } from "../../../api/list";
import { gameweekStatusQuery } from "../../../api/queries";
import { answerOf } from "../../../api/refusal";
import { productNow } from "../../../lib/clock";
import { useAct } from "../../../panel/use-act";
import { owedQuery, previewQuery } from "../../../panel/winners-preview";

export type WaitingLeague = Schemas["WaitingLeague"];
export type Decision = NonNullable<Schemas["LeagueDecision"]["act"]>;

export const waitingQuery = infiniteQueryOptions({
  queryKey: ["waiting-leagues"],
  initialPageParam: null as string | null,
  queryFn: async ({ pageParam, signal }) => {
    const query = pageParam ? { cursor: pageParam } : {};
    const call = api.GET("/api/admin/leagues/waiting", { params: { query }, signal });
    return { ...(await answerOf(call)), next: (await call).response.headers.get("x-next-cursor") };
  },
  getNextPageParam: (page) => page.next,
  refetchInterval: 60_000,
  meta: { isList: true },
});

/** The teams that have no official score: those who can be left out. */
export const unscored = ({ teams }: WaitingLeague) => teams.filter(({ official }) => !official);

/** Leagues that cannot be settled by the figures alone, and what can be decided about them. */
export function useWaitingLeagues() {
  const client = useQueryClient();
  const read = useInfiniteQuery(waitingQuery);
  const { data, isError, isRefetchError, isRefetching, refetch } = read;
  const { data: status } = useQuery(gameweekStatusQuery);
  const { outcome, busy, act, forget } = useAct();

  const decide = async (league: WaitingLeague, decision: Decision, reason: string) => {
    const body: Schemas["LeagueDecision"] = { act: decision };
    if (decision !== "retry") body.reason = reason;
    if (decision === "leave-out") body.fplIds = unscored(league).map(({ fplId }) => fplId);
    const done = await act(async () => {
      const call = api.POST("/api/admin/leagues/{id}", { params: { path: { id: league._id } }, body });
      return (await answerOf(call)).message;
    }, "It could not be decided. Nothing has changed.");
    for (const { queryKey } of [waitingQuery, previewQuery, owedQuery]) void client.invalidateQueries({ queryKey });
    return done;
  };

  /** Whether it has waited for long enough, by the product's clock. */
  const isDecidable = ({ decidableFrom }: WaitingLeague) =>
    status !== undefined && Date.parse(decidableFrom) <= productNow(status.clock);

  return {
    waiting: data?.pages.flatMap(({ waiting }) => waiting),
    corrected: data?.pages[0]?.corrected ?? [],
    moreCorrected: data?.pages[0]?.moreCorrected ?? 0,
    more: moreOf(read),
    failed: isError && !data,
    stale: isRefetchError,
    refreshing: isRefetching,
    refresh: () => void refetch(),
    outcome,
    busy,
    forget,
    decide,
    isDecidable,
  };
}
