/**
 * Opens a dialog over the page. Safari has had dialogs since 15.4: before, a polyfill comes when the first one is
 * opened. What is answered gives up opening where that is still on its way.
 */
export function openModal(dialog: HTMLDialogElement): () => void {
  let wanted = true;
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
  return () => void (wanted = false);
}
