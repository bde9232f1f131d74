/** A call that was refused because of who calls: what the account may do can have changed since log-in. */
const listeners = new Set<() => void>();

/** Has `listener` called at each such refusal, until the returned function is. */
export function onForbidden(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const tellForbidden = () => listeners.forEach((listener) => listener());
