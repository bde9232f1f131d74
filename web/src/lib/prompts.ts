/**
 * M-Pesa prompts on this device: which of them the page is waiting for itself, and whose outcome the
 * player has seen. What was decided while nobody looked is shown when the player comes back.
 */
import { useSyncExternalStore } from "react";

const SEEN = "seenPayments";
/** Prompts of a day are shown, and nobody is sent this many in one. */
const KEPT = 60;

export type PromptMarks = { readonly watched: ReadonlySet<string>; readonly seen: ReadonlySet<string> };

const watched = new Set<string>();
const listeners = new Set<() => void>();
let snapshot: { stored: string; marks: PromptMarks } | undefined;

const stored = () => localStorage.getItem(SEEN) ?? "[]";

function seenOutcomes(): string[] {
  try {
    const outcomes: unknown = JSON.parse(stored());
    return Array.isArray(outcomes) ? outcomes.filter((outcome) => typeof outcome === "string") : [];
  } catch {
    // This page did not write it. An outcome is rather shown twice than never.
    return [];
  }
}

function changed() {
  snapshot = undefined;
  listeners.forEach((listener) => listener());
}

/** The page waits for this prompt and shows what comes of it, until the returned function is called. */
export function watchPrompt(checkoutId: string): () => void {
  watched.add(checkoutId);
  changed();
  return () => {
    if (watched.delete(checkoutId)) changed();
  };
}

type Outcome = { checkoutId: string; state: string };

/** One that has failed may still turn out to be paid: that is another outcome. */
const outcomeKey = ({ checkoutId, state }: Outcome) => `${checkoutId} ${state}`;

export const isSeen = ({ seen }: PromptMarks, prompt: Outcome) => seen.has(outcomeKey(prompt));

/** The player has been told what came of them. */
export function markSeen(...prompts: Outcome[]) {
  const outcomes = [...new Set([...seenOutcomes(), ...prompts.map(outcomeKey)])].slice(-KEPT);
  localStorage.setItem(SEEN, JSON.stringify(outcomes));
  changed();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The same object until something changes, here or in the storage. */
function read(): PromptMarks {
  if (snapshot?.stored !== stored()) {
    snapshot = { stored: stored(), marks: { watched: new Set(watched), seen: new Set(seenOutcomes()) } };
  }
  return snapshot.marks;
}

export const usePromptMarks = () => useSyncExternalStore(subscribe, read);
