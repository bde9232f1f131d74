/** Kiswahili, and what of the library brings it in place: loaded by its readers alone. */
import { configureLocalization } from "@lit/localize/init/runtime.js";
import * as sw from "./sw";

import { refusals, sentences } from "./sw-server";

/** A refusal, by its code; undefined for one that is newer than this page. */
export const refusal = (code: string): string | undefined => (refusals as Partial<Record<string, string>>)[code];

/** With what the server ends a reason for which a payment made no entry. */
const IN_THE_WALLET = " Your money is in your wallet.";

const WITHOUT_BEACON =
  /^Drawn without the beacon: no relay gave its round when all of them were asked (once|\d+ times) from (.+?) to (.+?)\.( .*)?$/;
const OF_A_RELAY = /([:,] )(its? [^,(]+) \((once|\d+ times)\)/g;

const often = (count: string) => (count === "once" ? "mara moja" : `mara ${parseInt(count, 10)}`);

/** Why a draw went on without the beacon, with what each relay did. */
function withoutBeacon([, asked = "", from = "", to = "", relays = ""]: readonly string[]): string {
  const each = relays.replace(OF_A_RELAY, (_, mark: string, why: string, count: string) => `${mark}${sentences[why] ?? why} (${often(count)})`);
  return `Droo ilifanywa bila beacon: hakuna relay iliyotoa raundi yake zilipoulizwa zote ${often(asked)} kuanzia ${from} hadi ${to}.${each}`;
}

/** A sentence of the server's; one that it does not know stays in English. */
export function sentence(text: string): string {
  const drawn = WITHOUT_BEACON.exec(text);
  if (drawn) return withoutBeacon(drawn);
  const why = text.endsWith(IN_THE_WALLET) ? text.slice(0, -IN_THE_WALLET.length) : text;
  const said = [why, text.slice(why.length).trim()].map((part) => sentences[part] ?? part).join(" ");
  return sentences[text] ?? said.trim();
}

export const { setLocale } = configureLocalization({
  sourceLocale: "en",
  targetLocales: ["sw"],
  loadLocale: () => Promise.resolve(sw),
});
