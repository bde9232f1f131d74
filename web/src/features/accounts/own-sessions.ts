import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";

export type OwnSession = Schemas["OwnSession"];

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/sessions", { signal })),
});

/** Ends one session, or all but this one. */
export const endSession = (id: string) => answerOf(api.DELETE("/api/me/sessions/{id}", { params: { path: { id } } }));
