import { Notice } from "../components/Notice";
import type { ActOutcome } from "./use-act";

/** Says what came of the last act. */
export function ActNotice({ outcome }: { outcome: ActOutcome }) {
  if (!outcome) return null;
  return "done" in outcome ? (
    <Notice tone="success">{outcome.done}</Notice>
  ) : (
    <Notice tone="error">{outcome.problem}</Notice>
  );
}
