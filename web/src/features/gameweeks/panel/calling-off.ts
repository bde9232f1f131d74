import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../../api/client";
import { gameweeksQuery, gameweekStatusQuery } from "../../../api/queries";
import { answerOf } from "../../../api/refusal";
import { useAct } from "../../../panel/use-act";
import { owedQuery, previewQuery } from "../../../panel/winners-preview";

export type OwedGameweek = Schemas["OwedGameweek"];
export type VoidPreview = Schemas["VoidPreview"];

const voidQuery = (id: string) =>
  queryOptions({
    queryKey: ["void-preview", id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/gameweeks/{id}/void", { params: { path: { id } }, signal })),
    staleTime: 0,
    // Each time it is asked about it is read anew: figures of before decide nothing.
    gcTime: 0,
  });

const winnersQuery = (gameweek: string) =>
  queryOptions({
    queryKey: [...previewQuery.queryKey, gameweek],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/winners", { params: { query: { gameweek } }, signal })),
    staleTime: 0,
    gcTime: 0,
    enabled: gameweek !== "",
  });

/** What paying the winners of a gameweek would pay now; without one nothing is read. */
export function useWinnersOf(gameweek: OwedGameweek | null) {
  const { data, isError, refetch } = useQuery(winnersQuery(gameweek?.gameweek ?? ""));
  return { preview: data, failed: isError, refresh: () => void refetch() };
}

/** What calling a gameweek off would give back now. */
export function useVoidPreview(id: string) {
  const { data, isError, refetch } = useQuery(voidQuery(id));
  return { preview: data, failed: isError, refresh: () => void refetch() };
}

/** The season of a gameweek as people write it: 2025/26. */
export const seasonOf = ({ season }: OwedGameweek) => `${season}/${String((season + 1) % 100).padStart(2, "0")}`;

/** The gameweeks that still owe somebody something, former seasons' too, and the acts on them. */
export function useOwedGameweeks() {
  const client = useQueryClient();
  const { data, isError, isRefetchError, refetch } = useQuery(owedQuery);
  const { outcome, busy, act, forget } = useAct();

  const reread = () => {
    for (const { queryKey } of [owedQuery, gameweekStatusQuery, gameweeksQuery, previewQuery, { queryKey: ["void-preview"] }])
      void client.invalidateQueries({ queryKey });
  };

  const callOff = async ({ gameweek }: OwedGameweek, reason: string) => {
    const done = await act(async () => {
      const call = api.POST("/api/admin/gameweeks/{id}/void", { params: { path: { id: gameweek } }, body: { reason } });
      return (await answerOf(call)).message;
    }, "It could not be called off. Nothing has changed.");
    reread();
    return done;
  };

  const pay = async ({ gameweek }: OwedGameweek) => {
    const done = await act(async () => {
      const call = api.POST("/api/gameweek/process-winners", { body: { gameweek } });
      return (await answerOf(call)).message;
    }, "It could not be ended. Nothing has changed.");
    reread();
    return done;
  };

  return {
    owed: data,
    failed: isError && !data,
    stale: isRefetchError,
    refresh: () => void refetch(),
    outcome,
    busy,
    forget,
    callOff,
    pay,
  };
}
