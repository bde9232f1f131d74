import dialogPolyfill from "dialog-polyfill";
import "./dialog-polyfill.css";

export const polyfill = (dialog: HTMLDialogElement) => dialogPolyfill.registerDialog(dialog);
