import { useEffect } from "react";
import { modals, watchModals } from "./open-modal";

/** What is kept with an entry of the browser's history: the router's number of its page, and whether it was put there for a dialog. */
type Entry = { idx?: number; forDialog?: true };
const current = () => (history.state ?? {}) as Entry;

const putEntry = () => void (current().forDialog ?? history.pushState({ ...current(), forDialog: true }, ""));

/** Closes the topmost dialog as the browser's Escape does: one that is busy stays. Whether none is open any more. */
function closeTopmost(): boolean {
  const open = modals();
  const dialog = open[open.length - 1];
  if (!dialog?.dispatchEvent(new Event("cancel", { cancelable: true }))) return false;
  // Without the polyfill an old browser's dialog is a box that closes nothing itself.
  if ((dialog as Partial<HTMLDialogElement>).close) dialog.close();
  else dialog.dispatchEvent(new Event("close"));
  return open.length === 1;
}

function start(): () => void {
  /** The page whose dialog's entry was the current one at last. */
  let page: number | undefined;
  const look = () => {
    if (modals().length > 0) putEntry();
    if (current().forDialog) page = current().idx;
  };
  const onPop = () => {
    const isBack = page !== undefined && page === current().idx && !current().forDialog;
    page = undefined;
    if (modals().length > 0 && !current().forDialog) {
      if (!closeTopmost()) putEntry();
    } else if (isBack) {
      // The dialog was closed otherwise: nothing has changed for who went back.
      history.back();
    }
    if (current().forDialog) page = current().idx;
  };
  const stopWatching = watchModals(look);
  window.addEventListener("popstate", onPop);
  look();
  return () => {
    stopWatching();
    window.removeEventListener("popstate", onPop);
  };
}

/**
 * The phone's back closes the dialog that is open, and stays on the page, where the browser does not see to it: Chrome has
 * done so since 126, Safari does not. A dialog has an entry of its own in the browser's history then, of the page's address.
 */
export function useBackCloses() {
  useEffect(() => ("CloseWatcher" in window ? undefined : start()), []);
}
