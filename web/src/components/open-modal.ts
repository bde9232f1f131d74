const opened = new Set<HTMLDialogElement>();
const watchers = new Set<() => void>();
const tell = () => watchers.forEach((watcher) => watcher());

/** Calls `watcher` whenever a dialog is opened or given up, also by leaving the page without being closed. */
export function watchModals(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** The dialogs that are open, or on their way. */
export const modals = (): HTMLDialogElement[] => [...opened];

/**
 * Opens a dialog over the page. Safari has had dialogs since 15.4: before, a polyfill comes when the first one is
 * opened. What is answered gives up opening where that is still on its way.
 */
export function openModal(dialog: HTMLDialogElement): () => void {
  let wanted = true;
  opened.add(dialog);
  tell();
  const open = () => {
    if (wanted && dialog.isConnected && !dialog.open) dialog.showModal();
  };
  // What is typed as always there is not, in a browser of 2020.
  if ((dialog as Partial<HTMLDialogElement>).showModal) open();
  else
    void import("./dialog-polyfill").then(({ polyfill }) => {
      polyfill(dialog);
      open();
    });
  return () => {
    wanted = false;
    opened.delete(dialog);
    tell();
  };
}
