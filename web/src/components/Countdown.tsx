import { useEffect, useState } from "react";
import { untilDeadline, type Timed } from "../lib/deadline";
import { timeLeft } from "../lib/time";

/** Counts down every second while the page is seen, and nothing around it is drawn again. */
export function Countdown({ status }: { status: Timed }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick((n) => n + 1);
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{timeLeft(untilDeadline(status) ?? 0)}</span>;
}
