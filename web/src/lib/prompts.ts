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

function seenIds(): string[] {
  try {
    const ids: unknown = JSON.parse(stored());
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
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

/** The player has been told what came of it. */
export function markSeen(...checkoutIds: string[]) {
  const ids = [...new Set([...seenIds(), ...checkoutIds])].slice(-KEPT);
  localStorage.setItem(SEEN, JSON.stringify(ids));
  changed();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The same object until something changes, here or in the storage. */
function read(): PromptMarks {
  if (snapshot?.stored !== stored()) {
    snapshot = { stored: stored(), marks: { watched: new Set(watched), seen: new Set(seenIds()) } };
  }
  return snapshot.marks;
}

export const usePromptMarks = () => useSyncExternalStore(subscribe, read);
