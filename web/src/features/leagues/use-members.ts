import { useQueries } from "@tanstack/react-query";
import { msg } from "../../lib/i18n";
import { pointsQuery } from "./leagues";
import { rank, settled, type Ranked } from "./ranking";
import type { League } from "./leagues";

/**
 * A league's members with their points. Those that the league does not carry are asked for, player
 * by player, once `ask` says so: a page of leagues is five hundred players, and data is prepaid. A settled one carries
 * all that counts: what it lacks counted for nothing.
 */
export function useMembers(league: League, ask: boolean): Ranked[] {
  const isSettled = league.state === "settled";
  const lacking = isSettled ? [] : league.users.filter((user) => (user.points ?? null) === null);
  const asked = useQueries({ queries: lacking.map((user) => ({ ...pointsQuery(user.fplId, league._id), enabled: ask })) });
  const answers = new Map(lacking.map((user, i) => [user.fplId, asked[i]]));

  const members = league.users.map((user) => {
    const answer = answers.get(user.fplId);
    return {
      fplId: user.fplId,
      // An account that is closed has no name any more.
      username: user.username || msg("Closed account"),
      points: user.points ?? answer?.data?.points ?? null,
      bench: user.points_on_bench ?? answer?.data?.points_on_bench ?? null,
      gross: user.gross ?? answer?.data?.gross ?? null,
      hits: user.transfersCost ?? answer?.data?.transfersCost ?? null,
      chip: user.chip ?? answer?.data?.chip ?? null,
      place: user.rank ?? null,
      final: (user.status ?? answer?.data?.status) === "final",
      // A league that is settled on other figures than the official game's is settled on ours.
      ours: isSettled && user.status === "provisional",
      now:
        typeof user.played === "number"
          ? { captain: user.captain ?? null, played: user.played, playing: user.playing ?? 0, left: user.left ?? 0 }
          : null,
      prize: user.prize ?? null,
      refund: user.refund ?? null,
      loading: answer?.isPending ?? false,
      missing: answer?.isError ?? false,
    };
  });
  return isSettled ? settled(members) : rank(members);
}
