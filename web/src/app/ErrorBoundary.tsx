import { Button } from "@aws-amplify/ui-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { reloadPage } from "../lib/page";
import styles from "./Starting.module.css";

type State = { broken: boolean };

/** A screen that broke says so and offers a way on; it is never blank. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: false };

  static getDerivedStateFromError(): State {
    return { broken: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main className={styles.starting} role="alert">
        <h1>This screen could not be shown.</h1>
        <p>Your money is not touched by this. Load the page again.</p>
        <Button onClick={reloadPage}>Load again</Button>
      </main>
    );
  }
}
