/** Which language is read on this device. Of its own, and without imports: the entry asks it before the app is there. */

export const LANGUAGES = ["en", "sw"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = "language";

const known = (tag: string | null) => LANGUAGES.find((language) => language === tag?.toLowerCase().split("-")[0]);

/** The one that was chosen here, else the first of the browser's that there is. */
export const chosenLanguage = (): Language =>
  known(localStorage.getItem(KEY)) ?? navigator.languages.map(known).find((language) => language !== undefined) ?? "en";

export const keepLanguage = (language: Language) => localStorage.setItem(KEY, language);

const UNTOLD = "languageToTell";

/** A choice of which the account does not know yet: it was made before logging in, or could not be told. */
export const untoldLanguage = () => known(localStorage.getItem(UNTOLD));
export const noteUntold = (language: Language) => localStorage.setItem(UNTOLD, language);
export const forgetUntold = () => localStorage.removeItem(UNTOLD);

/** Empties the local storage but for the language, told or not: that is the device's, and nobody's secret. */
export function clearAllButLanguage() {
  const kept = known(localStorage.getItem(KEY));
  const untold = untoldLanguage();
  localStorage.clear();
  if (kept) keepLanguage(kept);
  if (untold) noteUntold(untold);
}
