import { useEffect, useRef } from "react";
import { Notice } from "../components/Notice";
import type { ActOutcome } from "./use-act";

/** Says what came of the last act, and leads to it: it stands above what was pressed, which may be gone. */
export function ActNotice({ outcome }: { outcome: ActOutcome }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!outcome) return;
    // The page behind the dialog that asked cannot be focused before that has closed.
    const frame = requestAnimationFrame(() => {
      // Who is at a field already goes on there.
      if (document.activeElement?.matches("input, select, textarea")) return;
      place.current?.scrollIntoView({ block: "center" });
      place.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [outcome]);
  if (!outcome) return null;
  return (
    <div ref={place} tabIndex={-1}>
      {"done" in outcome ? <Notice tone="success">{outcome.done}</Notice> : <Notice tone="error">{outcome.problem}</Notice>}
    </div>
  );
}
