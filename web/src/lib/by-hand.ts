/** Whether the page tells just now how to pay by hand: meanwhile what was paid so is looked for (`app/Arrivals.tsx`). */
import { useSyncExternalStore } from "react";

let places = 0;
const listeners = new Set<() => void>();

function changed(by: number) {
  places += by;
  listeners.forEach((listener) => listener());
}

/** A place tells it, until the returned function is called. */
export function tellByHand(): () => void {
  changed(1);
  return () => changed(-1);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useToldByHand = () => useSyncExternalStore(subscribe, () => places > 0);
