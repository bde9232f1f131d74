import { Mark } from "../components/Wordmark";
import { msg } from "../lib/i18n";

/** As index.html has it before the app is there, so that nothing moves when it comes. */
export function Loading({ text = msg("Loading...") }: { text?: string }) {
  return (
    <main className="starting">
      <Mark size={56} />
      <p className="starting-line">{msg("Weekly leagues of ten. The top score takes the prize.")}</p>
      <p role="status">{text}</p>
    </main>
  );
}
