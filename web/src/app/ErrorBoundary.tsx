import { Button } from "@aws-amplify/ui-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { reloadPage } from "../lib/page";
import { msg } from "../lib/i18n";

type Props = {
  children: ReactNode;
  /** Where the app is: elsewhere it is tried again. */
  place?: string;
};
type State = { broken: boolean };

/** A screen that broke says so and offers a way on; it is never blank. */
export class ErrorBoundary extends Component<Props, State> {
  constructor(props: Props) {
    super(props);
    this.state = { broken: false };
  }

  static getDerivedStateFromError(): State {
    return { broken: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override componentDidUpdate({ place }: Props) {
    if (this.state.broken && place !== this.props.place) this.setState({ broken: false });
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="starting" role="alert">
        <h1>{msg("This screen could not be shown.")}</h1>
        <p>{msg("Your money is not touched by this. Load the page again, or go back to the start.")}</p>
        <Button variation="primary" onClick={reloadPage}>{msg("Load again")}</Button>
        <a className="link-row" href="/">{msg("Go to the start")}</a>
      </main>
    );
  }
}
