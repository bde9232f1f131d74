import { Mark } from "../components/Wordmark";

/** As index.html has it before the app is there, so that nothing moves when it comes. */
export function Loading({ text = "Loading..." }: { text?: string }) {
  return (
    <main className="starting">
      <Mark size={56} />
      <p className="starting-line">Weekly leagues of ten. The top score takes the prize.</p>
      <p role="status">{text}</p>
    </main>
  );
}
