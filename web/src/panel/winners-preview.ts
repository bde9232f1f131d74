/** What ending a gameweek would pay, shown before it is pressed, and which gameweeks are not paid in full. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../api/client";
import { answerOf } from "../api/refusal";

export type Preview = Schemas["WinnersPreview"];

export const previewQuery = queryOptions({
  queryKey: ["winners-preview"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/winners", { signal })),
  refetchInterval: 60_000,
});

/** The gameweeks that still owe somebody something, former seasons' too. */
export const owedQuery = queryOptions({
  queryKey: ["owed-gameweeks"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/gameweeks", { signal })),
  refetchInterval: 60_000,
});
