/** What ending a gameweek would pay, shown before it is pressed. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../api/client";
import { answerOf } from "../api/refusal";

export type Preview = Schemas["WinnersPreview"];

export const previewQuery = queryOptions({
  queryKey: ["winners-preview"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/winners", { signal })),
});
