import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, type Schemas } from "../../api/client";
import { moreOf } from "../../api/list";
import { answerOf, Refusal } from "../../api/refusal";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { unlessProposed } from "../../panel/unless-proposed";
import { useAct } from "../../panel/use-act";

export type PlayerItem = Schemas["PlayerItem"];
export type Profile = Schemas["PlayerProfile"];

/** So many are found at most. */
export const MOST_FOUND = 20;

/** What can be looked for. */
export function readSearch(typed: string): Parsed<string> {
  const text = typed.trim();
  return text.length < 2 ? refused("Enter at least two characters.") : parsed(text);
}

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ["players", q],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/players", { params: { query: { q } }, signal })),
    enabled: q !== "",
  });

/** A player; further pages are the same with older transactions. */
const playerQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["player", id],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam ? { cursor: pageParam } : {};
      const call = api.GET("/api/admin/players/{id}", { params: { path: { id }, query }, signal });
      return { profile: await answerOf(call), next: (await call).response.headers.get("x-next-cursor") };
    },
    getNextPageParam: (page) => page.next,
  });

export type Change = Omit<Schemas["PlayerChange"], "reason">;

const saidOf = (change: Change, { username, fplId }: PlayerItem) => {
  if (change.endSessions) return `Every session of ${username} has ended.`;
  if (change.releasePrizes) return `The prizes of ${username} can be withdrawn.`;
  if (change.fplId) return `${username} plays with team ${fplId} now.`;
  if (change.ageProofWanted !== undefined && change.ageProofWanted !== null)
    return change.ageProofWanted ? `${username} has to prove their age.` : `${username} has proved their age.`;
  if (change.frozen !== undefined && change.frozen !== null)
    return change.frozen ? `${username} is frozen.` : `${username} is no longer frozen.`;
  return change.suspended ? `${username} is suspended.` : `${username} is no longer suspended.`;
};

/** Correcting the wallet is the ledger's: how it is booked, and how it is asked for. */
export type Correction = {
  book: (amount: number, reason: string) => Promise<string>;
  dialog: (question: {
    open: boolean;
    username: string;
    busy: boolean;
    problem: string | undefined;
    onClose: () => void;
    onGiven: (amount: number, reason: string) => void;
  }) => ReactNode;
};

/** One player with everything that is theirs, and changing one thing of the account. */
export function usePlayer(id: string, book: Correction["book"]) {
  const client = useQueryClient();
  const read = useInfiniteQuery(playerQuery(id));
  const { data, error, isRefetchError, isRefetching, refetch } = read;
  const { outcome, busy, act, forget } = useAct();
  const transactions = data?.pages.flatMap(({ profile }) => profile.transactions) ?? [];

  const change = async (what: Change, reason: string) => {
    const done = await act(async () => {
      const call = api.PATCH("/api/admin/players/{id}", { params: { path: { id } }, body: { ...what, reason } });
      return unlessProposed(await answerOf(call), (player) => saidOf(what, player));
    }, "It could not be changed. Nothing has changed.");
    void client.invalidateQueries({ queryKey: ["player", id] });
    void client.invalidateQueries({ queryKey: ["players"] });
    return done;
  };

  const correct = async (amount: number, reason: string) => {
    const done = await act(() => book(amount, reason), "It could not be corrected. Nothing has moved.");
    void client.invalidateQueries({ queryKey: ["player", id] });
    return done;
  };

  return {
    profile: data?.pages[0]?.profile,
    transactions: [...new Map(transactions.map((item) => [item._id, item])).values()],
    more: moreOf(read),
    failed: error && !data ? ((error instanceof Refusal && error.status === 404 && error.told) || "The player could not be read just now.") : null,
    stale: isRefetchError,
    refreshing: isRefetching,
    refresh: () => void refetch(),
    outcome,
    busy,
    forget,
    change,
    correct,
  };
}

/** A season as people write it: 2026/27. */
export const seasonName = (season: number) => `${season}/${String((season + 1) % 100).padStart(2, "0")}`;
