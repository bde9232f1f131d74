import { useCallback, useRef, useState } from "react";

/** Runs one submit at a time: a second one while it runs is dropped, however fast the taps. */
export function useSubmit() {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  const submit = useCallback(async (work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);

  return { busy, submit };
}
