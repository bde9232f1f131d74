/** Kiswahili, and what of the library brings it in place: loaded by its readers alone. */
import { configureLocalization } from "@lit/localize/init/runtime.js";
import * as sw from "./sw";

import { refusals, sentences } from "./sw-server";

/** A refusal, by its code; undefined for one that is newer than this page. */
export const refusal = (code: string): string | undefined => (refusals as Partial<Record<string, string>>)[code];

/** With what the server ends a reason for which a payment made no entry. */
const IN_THE_WALLET = " Your money is in your wallet.";

/** A sentence of the server's; one that it does not know stays in English. */
export function sentence(text: string): string {
  const why = text.endsWith(IN_THE_WALLET) ? text.slice(0, -IN_THE_WALLET.length) : text;
  const said = [why, text.slice(why.length).trim()].map((part) => sentences[part] ?? part).join(" ");
  return sentences[text] ?? said.trim();
}

export const { setLocale } = configureLocalization({
  sourceLocale: "en",
  targetLocales: ["sw"],
  loadLocale: () => Promise.resolve(sw),
});
