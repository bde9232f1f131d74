import { queryOptions } from "@tanstack/react-query";
import { api } from "./client";
import { answerOf } from "./refusal";

/** How far the player is with proving a team: its page goes on from there, and a winner is led to it. */
export const teamProofQuery = queryOptions({
  queryKey: ["team-proof"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/user/team/proof", { signal })),
});
