import { useState } from "react";

/** Which of a page's dialogs is open: one at a time, or none. */
export type DialogName = "profile" | "deposit" | "terms" | "typed-code" | "withdraw" | "logout";

export function useDialogs() {
  const [shown, setShown] = useState<DialogName | null>(null);
  /** Why the deposit dialog was opened, where a balance did not suffice. */
  const [reason, setReason] = useState<string>();
  /** Whether any was opened: before that, none of them is made. */
  const [wanted, setWanted] = useState(false);

  return {
    shown,
    reason,
    wanted,
    close: () => setShown(null),
    open: (name: DialogName, why?: string) => {
      setReason(why);
      setWanted(true);
      setShown(name);
    },
  };
}

export type Dialogs = ReturnType<typeof useDialogs>;
