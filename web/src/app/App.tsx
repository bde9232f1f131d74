import { useEffect, useState } from "react";
import { BrowserRouter } from "react-router";
import { StatusBars } from "./StatusBars";
import { ErrorBoundary } from "./ErrorBoundary";
import { Pages } from "./Pages";
import { Loading } from "./Loading";

/** The whole app: nothing is shown but 'Loading...' until the silent refresh has finished. */
export function App({ started }: { started: Promise<unknown> }) {
  const [ready, setReady] = useState(false);
  useEffect(() => void started.then(() => setReady(true)), [started]);

  return (
    <ErrorBoundary>
      {ready ? (
        <BrowserRouter>
          <Pages />
          <StatusBars />
        </BrowserRouter>
      ) : (
        <Loading />
      )}
    </ErrorBoundary>
  );
}
