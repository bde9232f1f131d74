import { useQuery } from "@tanstack/react-query";
import { userQuery } from "../../api/queries";
import { lastSeenWallet } from "../../lib/session";

/** The player's balance in KES: as read, else as last seen on this device, else null. */
export function useBalance() {
  const { data, isError, refetch } = useQuery(userQuery);
  return { balance: data?.wallet ?? lastSeenWallet(), isError: isError && !data, refetch };
}
