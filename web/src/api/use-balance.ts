import { useQuery } from "@tanstack/react-query";
import { userQuery } from "./queries";
import { ksh } from "../lib/money";
import { lastSeenWallet } from "../lib/session";
import { msg, str } from "../lib/i18n";

/** The player's balance in KES: as read, else as last seen on this device, else null. And what is owed. */
export function useBalance() {
  const { data, isError, refetch } = useQuery(userQuery);
  return { balance: data?.wallet ?? lastSeenWallet(), owed: data?.owed ?? 0, isError: isError && !data, refetch };
}

/** What is owed, and how it is paid. */
export const whatIsOwed = (owed: number) =>
  msg(str`You owe ${ksh(owed)}: it was taken back after you had used it. A deposit pays it first; then you can enter and withdraw again.`);
