/** Kiswahili, and what of the library brings it in place: loaded by its readers alone. */
import { configureLocalization } from "@lit/localize/init/runtime.js";
import * as sw from "./sw";

import { refusals, sentences, words } from "./sw-server";

/** A value is within its sentence; only somebody's own words, at the end, may be sentences of theirs. */
const VALUE = "((?:(?!\\. ).)+?)";

/** The sentences with `{}` in them. */
const patterns = Object.keys(sentences)
  .filter((english) => english.includes("{}"))
  .map((english) => ({ english, pattern: new RegExp(`^${english.split(/\{\}(?!$)/).map(quoted).join(VALUE).replace("\\{\\}", "(.+)")}$`) }));

function quoted(text: string) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A figure as it is; a month, a period and what a limit is of in their own words. */
const valueOf = (text: string) => text.replace(/[A-Za-z]+/g, (word) => words[word] ?? word);

/** One sentence, or some that belong together; undefined where they are not known. */
function known(text: string): string | undefined {
  const same = sentences[text];
  if (same !== undefined) return same;
  for (const { english, pattern } of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    const told = english.endsWith("{}") ? (text: string) => text : valueOf;
    return sentences[english]?.replace(/\{(\d)\}/g, (_, n: string) => told(found[Number(n) + 1] ?? ""));
  }
}

/** Sentences one after another, the longest that are known together first; undefined in the place of those that are not. */
function partsOf(text: string): { english: string; said: string | undefined }[] {
  const left = text.match(/.+?[.!?](?= |$)|.+$/g)?.map((part) => part.trim()) ?? [];
  const parts = [];
  while (left.length > 0) {
    let count = left.length;
    let said = known(left.join(" "));
    while (said === undefined && count > 1) said = known(left.slice(0, --count).join(" "));
    parts.push({ english: left.splice(0, count).join(" "), said });
  }
  return parts;
}

/** A refusal: its own sentence where all of it is known, with its figures, else by its code; undefined for one that is newer than this page. */
export function refusal(code: string, told: string | null): string | undefined {
  const parts = partsOf(told ?? "");
  const whole = parts.length > 0 && parts.every(({ said }) => said !== undefined);
  return whole ? parts.map(({ said }) => said).join(" ") : (refusals as Partial<Record<string, string>>)[code];
}

const WITHOUT_BEACON =
  /^Drawn without the beacon: no relay gave its round when all of them were asked (once|\d+ times) from (.+?) to (.+?)\.( .*)?$/;
const OF_A_RELAY = /([:,] )(its? [^,(]+) \((once|\d+ times)\)/g;

const often = (count: string) => (count === "once" ? "mara moja" : `mara ${parseInt(count, 10)}`);

/** Why a draw went on without the beacon, with what each relay did. */
function withoutBeacon([, asked = "", from = "", to = "", relays = ""]: readonly string[]): string {
  const each = relays.replace(OF_A_RELAY, (_, mark: string, why: string, count: string) => `${mark}${sentences[why] ?? why} (${often(count)})`);
  return `Droo ilifanywa bila beacon: hakuna relay iliyotoa raundi yake zilipoulizwa zote ${often(asked)} kuanzia ${from} hadi ${to}.${each}`;
}

/** Sentences of the server's; what it does not know stays in English. */
export function sentence(text: string): string {
  const drawn = WITHOUT_BEACON.exec(text);
  if (drawn) return withoutBeacon(drawn);
  return partsOf(text).map(({ english, said }) => said ?? english).join(" ");
}

export const { setLocale } = configureLocalization({
  sourceLocale: "en",
  targetLocales: ["sw"],
  loadLocale: () => Promise.resolve(sw),
});
