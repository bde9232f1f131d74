import { useEffect, useState } from "react";
import { BrowserRouter } from "react-router";
import { Bars } from "./Bars";
import { ErrorBoundary } from "./ErrorBoundary";
import { Pages } from "./Pages";
import { Starting } from "./Starting";

/** The whole app: nothing is shown but 'Loading...' until the silent refresh has finished. */
export function App({ started }: { started: Promise<unknown> }) {
  const [ready, setReady] = useState(false);
  useEffect(() => void started.then(() => setReady(true)), [started]);

  return (
    <ErrorBoundary>
      {ready ? (
        <BrowserRouter>
          <Pages />
          <Bars />
        </BrowserRouter>
      ) : (
        <Starting />
      )}
    </ErrorBoundary>
  );
}
