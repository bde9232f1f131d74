/** Reads that more than one feature shows: who the player is, what they have, and the gameweek. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { currentSession, storeTeam, storeWallet } from "../lib/session";
import { api } from "./client";
import { readGameweekStatus } from "./gameweek-status";
import { answerOf } from "./refusal";

export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async ({ signal }) => {
    const user = await answerOf(api.GET("/api/user", { signal }));
    storeWallet(user.wallet);
    const session = currentSession();
    // The team is changed elsewhere too, and one of a former season is none. By now another tab may have logged somebody else in.
    const team = user.needsTeam ? "" : user.fplId;
    if (user._id === session?.userId && team !== session.fplId) storeTeam(team);
    return user;
  },
});

/** Reads the balance anew, stores it, and shows it everywhere. KES; null where it could not be read. */
export async function refreshWallet(client: QueryClient): Promise<number | null> {
  const userId = currentSession()?.userId;
  if (!userId) return null;
  try {
    const balance = await answerOf(api.GET("/api/users/{userId}/wallet", { params: { path: { userId } } }));
    // By now somebody else may have logged in here.
    if (currentSession()?.userId !== userId) return null;
    showWallet(client, balance);
    return balance.wallet;
  } catch {
    // The figure on the screen may be old now: have it read again when it is next looked at.
    await client.invalidateQueries({ queryKey: userQuery.queryKey });
    return null;
  }
}

/**
 * Money has moved, or may have: the balance, the entry, the prompts, the movements, the month, and how many have joined are
 * read anew wherever they are shown. Done when the balance is there.
 */
export async function moneyMoved(client: QueryClient): Promise<void> {
  for (const queryKey of [ENTRIES, paymentsQuery.queryKey, TRANSACTIONS, OWN_LIMITS, gameweekStatusQuery.queryKey, LEAGUES]) {
    void client.invalidateQueries({ queryKey });
  }
  await refreshWallet(client);
}

/** A balance that an answer told, and what is owed where it told that too. KES. */
export function showWallet(client: QueryClient, balance: { wallet: number; owed?: number }) {
  storeWallet(balance.wallet);
  client.setQueryData(userQuery.queryKey, (user) => user && { ...user, ...balance });
}

export const gameweekStatusQuery = queryOptions({
  queryKey: ["gameweek-status"],
  queryFn: ({ signal }) => readGameweekStatus(signal),
  refetchInterval: 60_000,
});

export const currentGameweekQuery = queryOptions({
  queryKey: ["current-gameweek"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/current-gameweek", { signal }))).currentGameweek ?? null,
});

/** The paybill, the bounds of amounts and the tax rates: they change with a deployment, the rates at midnight in Kenya. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/settings", { signal })),
  staleTime: 5 * 60_000,
});

/** The player's M-Pesa prompts of the last day, newest first. */
export const paymentsQuery = queryOptions({
  queryKey: ["payments"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/payments", { signal })),
  staleTime: 0,
});

/** The player's own entries, movements of the wallet, limits with the month so far, and leagues: how their reads begin. */
export const ENTRIES = ["entries"] as const;
export const TRANSACTIONS = ["transactions"] as const;
export const OWN_LIMITS = ["own-limits"] as const;
export const LEAGUES = ["leagues"] as const;

/** The gameweeks so far, newest first. */
export const gameweeksQuery = queryOptions({
  queryKey: ["gameweeks"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/gameweeks", { signal })),
});
