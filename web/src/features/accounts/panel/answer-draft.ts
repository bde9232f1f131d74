import { useState } from "react";

type Draft = { text: string; reason: string };

const NOTHING: Draft = { text: "", reason: "" };

/** An answer to a case as far as it is typed, kept as long as this tab lives: who has to log in first goes on with it. */
export function useAnswerDraft(caseId: string) {
  const key = `answer:${caseId}`;
  const [draft, setDraft] = useState<Draft>(() => ({ ...NOTHING, ...(JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Draft>) }));
  return {
    draft,
    change: (part: Partial<Draft>) => {
      const now = { ...draft, ...part };
      sessionStorage.setItem(key, JSON.stringify(now));
      setDraft(now);
    },
    forget: () => {
      sessionStorage.removeItem(key);
      setDraft(NOTHING);
    },
  };
}
