import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { moneyMoved, userQuery } from "../api/queries";
import { useToldByHand } from "../lib/by-hand";
import { useSession } from "../lib/session";

const READ_AGAIN_MS = 20_000;

/** While a page tells how to pay by hand, what was paid comes by itself, and is shown wherever money is. */
export function Arrivals() {
  const isTold = useToldByHand();
  const isPlayer = useSession() !== null;
  return isTold && isPlayer ? <Looking /> : null;
}

function Looking() {
  const client = useQueryClient();
  const { data } = useQuery({ ...userQuery, refetchInterval: READ_AGAIN_MS });
  // A debt is paid first: then it is that which changes.
  const balance = data && `${data.wallet} ${data.owed}`;
  const before = useRef(balance);
  useEffect(() => {
    if (before.current !== undefined && balance !== before.current) void moneyMoved(client);
    before.current = balance;
  }, [client, balance]);
  return null;
}
