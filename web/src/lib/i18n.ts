/**
 * The player's texts, in English where they are used. Another language is a catalog that only its readers load
 * (`locales/`): `npm run texts` writes it from the sources, and the tests hold it to them. `msg` is called while something is
 * shown and never when a module is loaded: the language may change after that.
 */
// The library's two parts that English needs: its whole entry would bring the rest along for everybody.
import { msg } from "@lit/localize/init/install.js";
import { str } from "@lit/localize/internal/str-tag.js";
import { useSyncExternalStore } from "react";
import { chosenLanguage, keepLanguage, type Language } from "./language";

export { msg, str };

let shown: Language = "en";
let kiswahili: typeof import("../locales/swahili") | undefined;
const listeners = new Set<() => void>();

export const language = () => shown;

/** Another language's words for what the server says in English; undefined where English is read. */
export const serverWords = () => (shown === "en" ? undefined : kiswahili);

/** Shows everything in this language, which is not kept. Rejects, and all is as before, where its texts cannot be had. */
export async function show(wanted: Language) {
  if (wanted === shown) return;
  kiswahili ??= await import("../locales/swahili");
  await kiswahili.setLocale(wanted);
  shown = wanted;
  document.documentElement.lang = wanted;
  listeners.forEach((listener) => listener());
}

/** In the language that was chosen here, else that the browser asks for. Never rejects: without its texts it is English. */
export const startLanguage = () =>
  show(chosenLanguage()).catch((error: unknown) => {
    console.error(error);
    document.documentElement.lang = shown;
  });

/** The reader's own choice, which is kept. Rejects where the language's texts cannot be had just now. */
export async function chooseLanguage(wanted: Language) {
  await show(wanted);
  keepLanguage(wanted);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useLanguage = () => useSyncExternalStore(subscribe, language);
