import { useState } from "react";

/** What is being asked about before an act. The question stays, with what was typed, until the act is done. */
export function useAsking<T>(forget: () => void) {
  const [asking, setAsking] = useState<T | null>(null);
  return {
    asking,
    /** Opens the question; what came of the last act is no longer said. */
    ask: (about: T) => {
      forget();
      setAsking(about);
    },
    close: () => setAsking(null),
    /** Closes it once this act is done. */
    closeAfter: async (act: Promise<boolean>) => {
      if (await act) setAsking(null);
    },
  };
}
