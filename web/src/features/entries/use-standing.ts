import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { moneyMoved, paymentsQuery } from "../../api/queries";
import { useSession } from "../../lib/session";
import { entriesQuery } from "./entries";
import { isOver, standingIn, type Current, type Standing } from "./standing";

/** While M-Pesa has not said, and while the draw or the settlement may come. */
const SOON_MS = 15_000;
const LATER_MS = 60_000;

/** In these there is money of the player's in the gameweek: what follows may have moved it. */
const UNDECIDED = new Set<Standing["is"]>(["waiting", "in", "playing"]);

type Week = { status: Current; open: boolean };

/** Where the player stands in the current gameweek; it is read again while something may come of it. */
export function useStanding({ status, open }: Week): Standing {
  const client = useQueryClient();
  const enabled = useSession() !== null;
  const all = (pages: readonly { entries: Parameters<typeof standingIn>[1] }[] | undefined) => pages?.flatMap((page) => page.entries ?? []);
  const prompts = useQuery({
    ...paymentsQuery,
    enabled,
    refetchInterval: ({ state }) => state.data?.some((prompt) => prompt.state === "PENDING") === true && SOON_MS,
  });
  const entries = useInfiniteQuery({
    ...entriesQuery,
    enabled,
    refetchInterval: ({ state }) => {
      if (state.status === "error") return LATER_MS;
      const standing = standingIn(status, all(state.data?.pages), []);
      return !open && standing.is !== "out" && !isOver(standing) && LATER_MS;
    },
  });
  const read = standingIn(status, all(entries.data?.pages), prompts.data);
  const standing: Standing = read.is === "unknown" && entries.isError ? { is: "unread" } : read;

  // M-Pesa, the draw or the settlement has decided: what is in the wallet is another now.
  const { is } = standing;
  const before = useRef(is);
  useEffect(() => {
    const was = before.current;
    before.current = is;
    if (was !== is && UNDECIDED.has(was)) void moneyMoved(client);
  }, [is, client]);
  return standing;
}
