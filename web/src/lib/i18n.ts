/**
 * The player's texts, in English where they are used. Another language is a catalog that only its readers load
 * (`locales/`): `npm run texts` writes it from the sources, and the tests hold it to them. `msg` is called while something is
 * shown and never when a module is loaded: the language may change after that.
 */
import { configureLocalization, msg, str } from "@lit/localize";
import { useSyncExternalStore } from "react";
import { chosenLanguage, keepLanguage, type Language } from "./language";

export { msg, str };

const { getLocale, setLocale } = configureLocalization({
  sourceLocale: "en",
  targetLocales: ["sw"],
  loadLocale: async () => (loaded = await import("../locales/swahili")),
});

let loaded: ServerWords | undefined;

const listeners = new Set<() => void>();

/** Another language's words for what the server says in English: refusals by their code, other sentences as they are. */
type ServerWords = { refusals: Readonly<Record<string, string>>; sentences: Readonly<Record<string, string>> };

/** Undefined where English is read: the server's own words are shown. */
export const serverWords = () => (language() === "en" ? undefined : loaded);

export const language = () => getLocale() as Language;

/** Shows everything in this language; in the one before where its texts cannot be had. */
async function show(wanted: Language) {
  await setLocale(wanted);
  document.documentElement.lang = language();
  listeners.forEach((listener) => listener());
}

/** In the language that was chosen here, else that the browser asks for. Never rejects: without its texts it is English. */
export async function startLanguage() {
  const wanted = chosenLanguage();
  if (wanted !== language()) await show(wanted).catch((error: unknown) => console.error(error));
}

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

/** The text for so many, by the rule of the language that is shown. */
export const plural = (many: number, one: string, other: string) =>
  new Intl.PluralRules(language()).select(many) === "one" ? one : other;
