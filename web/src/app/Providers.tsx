import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { Refusal } from "../api/refusal";
import { useSession } from "../lib/session";
import { Arrivals } from "./Arrivals";
import { registerWorker } from "./register-worker";
import { SessionExpiry } from "./SessionExpiry";

/** What the screens after log-in need around them: the cache of what the server said, nothing of one player shown to the next. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(registerWorker, []);
  const who = useSession()?.userId ?? "guest";
  return (
    <>
      <SessionExpiry />
      <ProvidersOf key={who}>{children}</ProvidersOf>
    </>
  );
}

function ProvidersOf({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Arrivals />
      {children}
    </QueryClientProvider>
  );
}

/** Once more where no answer came or the server stumbled; a refusal stays one. */
const retry = (failures: number, error: Error) =>
  failures < 1 && !(error instanceof Refusal && error.status < 500);

/** A list that cannot be had is said on the screen; why it could not is for the console (spec §8). */
const logLists = () => new QueryCache({ onError: (error, { meta }) => meta?.isList === true && console.error(error) });

/** Reads are fresh for a few seconds, made again when the page is seen again, and stop while hidden. */
export const newQueryClient = () =>
  new QueryClient({
    queryCache: logLists(),
    defaultOptions: {
      queries: { networkMode: "always", staleTime: 5_000, retry, refetchOnWindowFocus: true, refetchIntervalInBackground: false },
    },
  });
