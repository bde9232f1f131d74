import { Button } from "@aws-amplify/ui-react";
import { msg } from "../lib/i18n";

/** What could not be had, and the way on. */
export function ErrorState({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="error-state" role="alert">
      <p>{text}</p>
      <Button onClick={onRetry}>{msg("Try again")}</Button>
    </div>
  );
}
