import { useCallback, useEffect, useRef, useState } from "react";

/** Who has sent a form that is not in order goes on where it has to be mended, by touch and by ear. */
export function useFirstError() {
  const form = useRef<HTMLFormElement>(null);
  const [wanted, setWanted] = useState(0);
  // After the errors have been shown: a field is marked by the kit once it has one.
  useEffect(() => {
    if (wanted > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wanted]);

  return {
    form,
    /** Puts the focus on the first field in error, where there is one. */
    focusFirstError: useCallback(() => setWanted((before) => before + 1), []),
  };
}
