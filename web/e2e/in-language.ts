/** What a screen says in the language that a run's browser asks for: Kiswahili as `texts/sw.xlf` has it. */
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { refusals } from "../src/locales/sw-server";
import { CODES } from "./refusals";

const KISWAHILI = "sw-KE";
const VALUE = /<x id="(\d+)"[^>]*\/>/;

const plain = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" })[name] ?? "");
/** The texts around the values, without the brackets of what is shown in its own way. */
const pieces = (text: string) => text.split(VALUE).map((piece, i) => (i % 2 === 1 ? piece : plain(piece).replace(/[[\]]/g, "")));
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const around = (parts: readonly string[], value: string) => parts.map((part, i) => (i % 2 === 1 ? value : literal(part))).join("");

const TEXTS = [...readFileSync("texts/sw.xlf", "utf8").matchAll(/<source>([^]*?)<\/source>\s*<target>([^]*?)<\/target>/g)]
  .map(([, source = "", target = ""]) => ({ source: pieces(source), target: pieces(target) }))
  // What the entry says by itself (src/main.ts).
  .concat({ source: ["FPL Leagues could not be loaded."], target: ["FPL Leagues haikuweza kupakiwa."] })
  // What the server refuses.
  .concat(Object.entries(CODES).map(([text, code]) => ({ source: [text], target: [refusals[code]] })))
  // The most of the words, not the most of the values.
  .sort((a, b) => around(b.source, "").length - around(a.source, "").length);

export const inKiswahili = () => test.info().project.use.locale === KISWAHILI;

/** An English text of ours as it is read in this run; whatever is no text of ours stays as it is. */
export function said(text: string): string {
  if (!inKiswahili()) return text;
  for (const { source, target } of TEXTS) {
    const found = new RegExp(`^${around(source, "((?:(?!\\. ).)+)")}$`).exec(text);
    if (!found) continue;
    const ids = source.filter((_, i) => i % 2 === 1);
    return target.map((part, i) => (i % 2 === 1 ? (found[ids.indexOf(part) + 1] ?? "") : part)).join("");
  }
  const sentences = text.split(/(?<=[.!?]) /);
  return sentences.length > 1 ? sentences.map(said).join(" ") : text;
}

/** The same of a part of a text; null where it is known in English only. */
export function saidPart(pattern: RegExp): RegExp | null {
  if (!inKiswahili()) return pattern;
  const known = TEXTS.find(({ source }) => pattern.test(source.map((part, i) => (i % 2 === 1 ? "…" : part)).join("")));
  return known ? new RegExp(around(known.target, ".+")) : null;
}
