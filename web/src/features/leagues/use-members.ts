import { useQueries } from "@tanstack/react-query";
import { pointsQuery } from "./queries";
import { rank, type Member, type Ranked } from "./ranking";

type User = { fplId: string; username: string; points?: number | null; points_on_bench?: number | null };

/** A league's members with their points; those that the league does not carry are asked for. */
export function useMembers(users: readonly User[], gameweek: number, started: boolean): Ranked[] {
  const lacking = started ? users.filter((user) => (user.points ?? null) === null) : [];
  const asked = useQueries({ queries: lacking.map((user) => pointsQuery(user.fplId, gameweek)) });
  const answers = new Map(lacking.map((user, i) => [user.fplId, asked[i]]));

  return rank(
    users.map((user): Member => {
      const answer = answers.get(user.fplId);
      return {
        fplId: user.fplId,
        username: user.username,
        points: user.points ?? answer?.data?.points ?? null,
        bench: user.points_on_bench ?? answer?.data?.points_on_bench ?? null,
        missing: answer?.isError ?? false,
      };
    }),
  );
}
