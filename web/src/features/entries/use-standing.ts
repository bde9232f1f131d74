import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { moneyMoved, paymentsQuery } from "../../api/queries";
import type { Timed } from "../../lib/deadline";
import { isInPlay, stateOf } from "../../lib/entry-outcome";
import { useSession } from "../../lib/session";
import { useTooLate } from "../../lib/too-late";
import { entriesQuery } from "./entries";
import type { Entry } from "./entries";
import { entryBefore, isAside, isOver, standingIn, type Current, type Prompt, type Standing } from "./standing";

/** While M-Pesa has not said; while the draw or the settlement may come; while matches are played, which decide no entry. */
const SOON_MS = 15_000;
const LATER_MS = 60_000;
const IDLE_MS = 600_000;
/** So often, a minute apart: after that it is seen when the page is looked at again. */
const LATE_READS = 20;

/** How long until the player's entries are read again; false where nothing comes of them by itself. */
function paceOf(standing: Standing, status: Current, open: boolean) {
  if (open || standing.is === "out" || isOver(standing)) return false;
  return standing.is === "playing" && status?.state === "closed" ? IDLE_MS : LATER_MS;
}

/** From these nothing has changed: it is read for the first time. */
const UNREAD = new Set<Standing["is"]>(["unknown", "unread"]);

const isFailedEntry = (prompt: Prompt | undefined) => prompt?.state === "FAILED" && Boolean(prompt.entryAmount);

type Week = { status: (NonNullable<Current> & Timed) | undefined; open: boolean };

/** It has failed and was never read, also while it is asked for again. */
const isUnread = ({ data, errorUpdateCount }: { data: unknown; errorUpdateCount: number }) => data === undefined && errorUpdateCount > 0;

const all = (pages: readonly { entries: readonly Entry[] }[] | undefined) => pages?.flatMap((page) => page.entries);

/** Where the player stands in the current gameweek; it is read again while something may come of it. */
export function useStanding({ status, open }: Week): Standing {
  const client = useQueryClient();
  const enabled = useSession() !== null;
  const tooLate = useTooLate(status);
  const prompts = useQuery({
    ...paymentsQuery,
    enabled,
    refetchInterval: ({ state }) => {
      if (state.status === "error") return LATER_MS;
      const pending = state.data?.filter((prompt) => prompt.state === "PENDING") ?? [];
      // The newest has failed: M-Pesa may report late that it was paid all the same.
      if (pending.length === 0) return isFailedEntry(state.data?.[0]) && state.dataUpdateCount < LATE_READS && LATER_MS;
      // Of those that are set aside a person decides.
      return pending.every(isAside) ? LATER_MS : SOON_MS;
    },
  });
  const entries = useInfiniteQuery({
    ...entriesQuery,
    enabled,
    refetchInterval: ({ state }) => {
      if (state.status === "error") return LATER_MS;
      return paceOf(standingIn(status, all(state.data?.pages), []), status, open);
    },
  });
  // Prompts that cannot be read hide nothing of the entries. Without an entry, one of them may be under way.
  const noPrompts = isUnread(prompts);
  const read = standingIn(status, all(entries.data?.pages), noPrompts ? [] : prompts.data, tooLate(null));
  const unread = (read.is === "unknown" && isUnread(entries)) || (read.is === "out" && noPrompts);
  const standing: Standing = unread ? { is: "unread" } : read;

  // M-Pesa, the draw or the settlement has decided, or another phone has joined: what is in the wallet is another now.
  const { is } = standing;
  const before = useRef(is);
  useEffect(() => {
    const was = before.current;
    before.current = is;
    // A prompt that is waited for has moved nothing yet.
    if (was !== is && is !== "waiting" && !UNREAD.has(was)) void moneyMoved(client);
  }, [is, client]);
  return standing;
}

/** The entry into another gameweek that is still to be told of; it is read again while it is in play. */
export function useEntryBefore(status: Current): Entry | undefined {
  const client = useQueryClient();
  const { data } = useInfiniteQuery({
    ...entriesQuery,
    enabled: useSession() !== null,
    refetchInterval: ({ state }) => {
      const told = entryBefore(status, all(state.data?.pages));
      return told !== undefined && isInPlay(told) && IDLE_MS;
    },
  });
  const entry = entryBefore(status, all(data?.pages));
  const state = entry && stateOf(entry);
  const before = useRef<typeof state>(state);
  useEffect(() => {
    const was = before.current;
    before.current = state;
    if ((was === "in" || was === "playing") && was !== state) void moneyMoved(client);
  }, [state, client]);
  return entry;
}

/** The player's entries, page by page, read again while one is in play. When one is decided, its money has moved. */
export function useEntries() {
  const client = useQueryClient();
  const read = useInfiniteQuery({
    ...entriesQuery,
    enabled: useSession() !== null,
    refetchInterval: ({ state }) => (all(state.data?.pages)?.some(isInPlay) ?? false) && LATER_MS,
  });
  const entries = all(read.data?.pages);
  const inPlay = entries?.filter(isInPlay).map(({ gameweek }) => gameweek).join();
  const before = useRef(inPlay);
  useEffect(() => {
    const was = before.current;
    before.current = inPlay;
    if (was && was !== inPlay) void moneyMoved(client);
  }, [inPlay, client]);
  return { read, entries };
}
