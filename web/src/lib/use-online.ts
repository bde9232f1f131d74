import { useSyncExternalStore } from "react";

function subscribe(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Whether the device has a network at all; having one does not mean that anything is reached. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine);
