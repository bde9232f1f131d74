/**
 * Recovery codes that nobody has said to have kept. No answer has them again, so they outlive the page and a session that
 * ended: whoever made them sees them on return. A log-out and a log-in as somebody else forget them.
 */
import { useSyncExternalStore } from "react";
import { currentSession, sessionWasEnded, subscribe } from "../../../lib/session";

type Codes = readonly string[];

let unkept: { userId: string | undefined; codes: Codes } | null = null;
const listeners = new Set<() => void>();

const set = (now: typeof unkept) => {
  unkept = now;
  listeners.forEach((listener) => listener());
};

const isForgottenBy = (userId: string | undefined) => {
  const session = currentSession();
  return session ? session.userId !== userId : !sessionWasEnded();
};

subscribe(() => {
  if (unkept && isForgottenBy(unkept.userId)) set(null);
});

/** Makes the call that brings new ones, for who is logged in now. */
export async function bringCodes(call: () => Promise<{ recoveryCodes: Codes }>): Promise<void> {
  const userId = currentSession()?.userId;
  const { recoveryCodes } = await call();
  if (!isForgottenBy(userId)) set({ userId, codes: recoveryCodes });
}

export const forgetCodes = () => set(null);

export const useUnkeptCodes = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => unkept?.codes ?? null,
  );
