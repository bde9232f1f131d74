import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";

export type Settlement = Schemas["SettlementView"];
export type Place = Schemas["RankedView"];

/** The record that a league was paid from: written once, it never changes. */
export const settlementQuery = (league: string) =>
  queryOptions({
    queryKey: ["settlement", league],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/leagues/{id}/settlement", { params: { path: { id: league } }, signal })),
    staleTime: Infinity,
  });
