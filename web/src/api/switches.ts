/** What the operator has switched on or off, as it is now: the edge keeps none of it. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { answerOf } from "./refusal";

export const switchesQuery = queryOptions({
  queryKey: ["switches"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/switches", { signal })),
  refetchInterval: 60_000,
});
