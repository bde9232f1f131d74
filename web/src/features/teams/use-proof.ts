import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../api/client";
import { userQuery } from "../../api/queries";
import { answerOf, explain } from "../../api/refusal";
import { storeTeam } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";

export type TeamProof = Schemas["TeamProof"];

const QUERY = ["team-proof"];

/** How far the player is with proving a team, a code for one, and looking for that code in the official game. */
export function useProof() {
  const client = useQueryClient();
  const { data: proof, error, refetch } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => answerOf(api.GET("/api/user/team/proof", { signal })),
  });
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const step = (call: () => Promise<TeamProof>, failed: string) =>
    submit(async () => {
      setProblem(undefined);
      try {
        const answer = await call();
        client.setQueryData(QUERY, answer);
        if (!answer.proved) return;
        storeTeam(answer.fplId);
        await client.invalidateQueries({ queryKey: userQuery.queryKey });
      } catch (refused) {
        setProblem(explain(refused, { refused: failed, failed }));
      }
    });

  return {
    proof,
    failed: error !== null && !proof,
    retry: () => void refetch(),
    problem,
    busy,
    ask: (fplId: string) =>
      void step(
        () => answerOf(api.POST("/api/user/team/proof", { body: { fplId } })),
        msg("No code could be issued just now. Please try again."),
      ),
    check: () =>
      void step(
        () => answerOf(api.POST("/api/user/team/proof/check")),
        msg("It could not be looked for just now. Please try again."),
      ),
  };
}
