const opened = new Set<HTMLDialogElement>();
const watchers = new Set<() => void>();
const tell = () => watchers.forEach((watcher) => watcher());

/** Calls `watcher` whenever a dialog is opened or given up, also by leaving the page without being closed. */
export function watchModals(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** The dialogs that are open. */
export const modals = (): HTMLDialogElement[] => [...opened];

let polyfill: (dialog: HTMLDialogElement) => void = () => undefined;

/** Safari has had dialogs since 15.4: before, a polyfill is loaded with the app. Never rejects. */
export async function startModals() {
  // What is typed as always there is not, in a browser of 2020.
  if ((document.createElement("dialog") as Partial<HTMLDialogElement>).showModal) return;
  await import("./dialog-polyfill")
    .then((loaded) => void (polyfill = loaded.polyfill))
    .catch((error: unknown) => console.error(error));
}

/**
 * Opens a dialog over the page; where the polyfill has not come, as a box on it, and the page beside it stays in reach.
 * What is answered is called when it closes.
 */
export function openModal(dialog: HTMLDialogElement): () => void {
  opened.add(dialog);
  tell();
  polyfill(dialog);
  const isModal = (dialog as Partial<HTMLDialogElement>).showModal !== undefined;
  if (!isModal) dialog.setAttribute("open", "");
  else if (!dialog.open) dialog.showModal();
  return () => {
    if (!isModal) dialog.removeAttribute("open");
    opened.delete(dialog);
    tell();
  };
}
