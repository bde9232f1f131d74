import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "../../api/client";
import { userQuery } from "../../api/queries";
import { answerOf, explain, isCertain } from "../../api/refusal";
import { teamProofQuery } from "../../api/team-proof";
import { storeTeam } from "../../lib/session";
import { useSubmit } from "../../lib/use-submit";
import { msg } from "../../lib/i18n";

export type TeamProof = Schemas["TeamProof"];

/** How far the player is with proving a team, a code for one, and looking for that code in the official game. */
export function useProof() {
  const client = useQueryClient();
  const { data: proof, error, refetch } = useQuery(teamProofQuery);
  const { data: user } = useQuery(userQuery);
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit();

  const step = (call: () => Promise<TeamProof>, refused: string, failed = refused) =>
    submit(async () => {
      setProblem(undefined);
      try {
        const answer = await call();
        client.setQueryData(teamProofQuery.queryKey, answer);
        if (!answer.proved) return;
        storeTeam(answer.fplId);
        await client.invalidateQueries({ queryKey: userQuery.queryKey });
      } catch (failure) {
        setProblem(explain(failure, { refused, failed }));
        if (isCertain(failure)) return;
        // It may have been done: an older code would be looked for in vain.
        for (const queryKey of [teamProofQuery.queryKey, userQuery.queryKey]) void client.invalidateQueries({ queryKey });
      }
    });

  return {
    proof,
    /** The team that the account has this season; empty: none. Undefined until it is known. */
    own: user && (user.needsTeam ? "" : user.fplId),
    failed: error !== null && !proof,
    retry: () => void refetch(),
    problem,
    busy,
    ask: (fplId: string) =>
      void step(
        () => answerOf(api.POST("/api/user/team/proof", { body: { fplId } })),
        msg("No code could be issued just now. Please try again."),
        msg("No answer came. If there is a new code, it is shown here; if not, please try again."),
      ),
    check: () =>
      void step(
        () => answerOf(api.POST("/api/user/team/proof/check")),
        msg("It could not be looked for just now. Please try again."),
      ),
  };
}
