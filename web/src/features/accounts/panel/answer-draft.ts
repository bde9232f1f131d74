import { useState } from "react";
import { currentSession } from "../../../lib/session";

type Draft = { text: string; reason: string };

const NOTHING: Draft = { text: "", reason: "" };

/** An answer to a case as far as it is typed, kept until its writer logs out of this tab: who has to log in first goes on with it. */
export function useAnswerDraft(caseId: string) {
  const key = `answer:${currentSession()?.userId}:${caseId}`;
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
