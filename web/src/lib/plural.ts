import { language } from "./i18n";

/** The text for so many, by the rule of the language that is shown. */
export const plural = (many: number, one: string, other: string) =>
  new Intl.PluralRules(language()).select(many) === "one" ? one : other;
