import { Suspense, use } from "react";
import { BrowserRouter } from "react-router";
import { ErrorBoundary } from "./ErrorBoundary";
import { Pages } from "./Pages";
import { Starting } from "./Starting";

type Props = { started: Promise<unknown> };

/** The whole app: nothing is shown but 'Loading...' until the silent refresh has finished. */
export function App({ started }: Props) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Starting />}>
        <Started started={started} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Started({ started }: Props) {
  use(started);
  return (
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
  );
}
