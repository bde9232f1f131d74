import { startTransition, Suspense, useEffect, useState } from "react";
import { BrowserRouter } from "react-router";

import { ErrorBoundary } from "./ErrorBoundary";
import { Pages } from "./Pages";
import { Loading } from "./Loading";
import { orNothing } from "../components/part";
import { useLanguage } from "../lib/i18n";

const StatusBars = orNothing(() => import("./StatusBars").then((m) => m.StatusBars));

/** The whole app: nothing is shown but 'Loading...' until the silent refresh has finished. */
export function App({ started }: { started: Promise<unknown> }) {
  const [ready, setReady] = useState(false);
  const language = useLanguage();
  // A transition is drawn in slices: a tap is answered in between.
  useEffect(() => void started.then(() => startTransition(() => setReady(true))), [started]);

  return (
    <ErrorBoundary>
      {ready ? (
        // Another language is everything anew: nothing that was said stays in the one before.
        <BrowserRouter key={language}>
          <Pages />
          <Suspense>
            <StatusBars />
          </Suspense>
        </BrowserRouter>
      ) : (
        <Loading />
      )}
    </ErrorBoundary>
  );
}
