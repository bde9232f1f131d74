// Every text of the player's side goes through `msg`, and every `msg` has its Kiswahili (lib/i18n.ts).
import { readdirSync, readFileSync } from "node:fs";
import { generateMsgId } from "@lit/localize/internal/id-generation.js";
import ts from "typescript";
import { expect, it } from "vitest";
import { templates } from "./sw";

type Template = string | { strings: readonly string[]; values: readonly number[] };
const KISWAHILI = templates as Record<string, Template>;

/** The operator's side, which stays English, and what is no page of the app's. */
const NOT_THE_PLAYERS = [
  /^(features\/[a-z]+\/panel|features\/admin|panel|locales|testing|worker)\//,
  /^app\/(Panel\w*|AtAGlance|Machines|MoneyOfGameweek|NoAdmin|pages\/PanelPage)\.tsx$/,
  // The entry has its few words in both languages: there is no catalog yet.
  /^(main|early|api\/schema\.d)\.ts$/,
  /\.test\.tsx?$/,
];

/** What stands in the code and is read by nobody, and names that are the same in every language. */
const NO_TEXTS = new Set([
  "FPL",
  "Leagues",
  "FPL Leagues",
  "English",
  "Kiswahili",
  "Bench Boost",
  "Triple Captain",
  "Free Hit",
  // Drawn pictures of the official game's site, which is English.
  "Log in",
  "App",
  "Pick Team",
  "ID: 118670",
  "…/entry/",
  "/event/3",
  "KSh 50",
  // Amounts, headers, cookies, commands, and what the server's answers are looked through for.
  "KSh …",
  "Bearer …",
  "refused with …",
  "…; Max-Age=…; Path=/; SameSite=Lax",
  "cargo run -p local -- verify-draw … … --entry '…'",
  "cargo run -p local -- verify-balance proof.json …",
  'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  "… …px …",
  "… · FPL Leagues",
  "Prove that the team",
]);

const SHOWN = new Set(["title", "label", "placeholder", "aria-label", "alt", "lead", "hint", "text", "empty", "unread", "loadingText"]);
const WORD = /\p{L}{2,}/u;
const PHRASE = /\p{L}[\p{L}’',.:;!?…]*\s+\p{L}/u;

type Found = { at: string; text: string };
type Message = { at: string; strings: readonly string[]; atLoading: boolean };

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !NOT_THE_PLAYERS.some((pattern) => pattern.test(file)))
  .sort();

function textsOf(file: string) {
  const source = ts.createSourceFile(file, readFileSync(`src/${file}`, "utf8"), ts.ScriptTarget.Latest, true);
  const bare: Found[] = [];
  const messages: Message[] = [];
  const at = (node: ts.Node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
  const note = (node: ts.Node, text: string) => {
    if (!NO_TEXTS.has(text.trim())) bare.push({ at: at(node), text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === "msg") {
      const [text] = node.arguments;
      messages.push({ at: at(node), strings: text ? piecesOf(text) : [], atLoading: isAtLoading(node) });
      if (text && ts.isTaggedTemplateExpression(text) && ts.isTemplateExpression(text.template)) {
        text.template.templateSpans.forEach(({ expression }) => visit(expression));
      }
      return;
    }
    if (isNoText(node, source)) return;
    if (ts.isJsxText(node) && WORD.test(node.text)) note(node, node.text);
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
      if (SHOWN.has(node.name.getText(source)) && WORD.test(node.initializer.text)) note(node, node.initializer.text);
      return;
    }
    if (ts.isStringLiteralLike(node) && PHRASE.test(node.text)) note(node, node.text);
    if (ts.isTemplateExpression(node)) {
      const text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
      if (/\p{L}{2,}\s|\s\p{L}{2,}/u.test(text)) note(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { bare, messages };
}

/** The text between a message's values. */
function piecesOf(text: ts.Expression): string[] {
  if (ts.isStringLiteralLike(text)) return [text.text];
  if (!ts.isTaggedTemplateExpression(text) || text.tag.getText() !== "str") return [];
  const { template } = text;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

/** What is called when its module is loaded stays in the language of that moment. */
function isAtLoading(node: ts.Node): boolean {
  for (let outer = node.parent; outer; outer = outer.parent) if (ts.isFunctionLike(outer)) return false;
  return true;
}

function isNoText(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isNewExpression(node)) return /Error$|^Intl\./.test(node.expression.getText(source));
  if (ts.isCallExpression(node)) return /^console\.|matchMedia$|querySelector(All)?$/.test(node.expression.getText(source));
  return ts.isJsxAttribute(node) && /^(className|sizes|d|viewBox|transform|points)$/.test(node.name.getText(source));
}

const texts = files.map(textsOf);
const messages = texts.flatMap((file) => file.messages);
const idOf = ({ strings }: Message) => generateMsgId(strings.length === 1 ? (strings[0] ?? "") : [...strings], false);

it("has no text on the player's side that is not translated", () => {
  expect(texts.flatMap((file) => file.bare)).toEqual([]);
});

it("reads no text before the language is known", () => {
  expect(messages.filter(({ atLoading }) => atLoading).map(({ at }) => at)).toEqual([]);
});

it("has every text in Kiswahili, with all that is put into it", () => {
  const wrong = messages.flatMap((message) => {
    const { at, strings } = message;
    const translated = KISWAHILI[idOf(message)];
    if (strings.length === 0) return [`${at}: not a text that can be read out of the code`];
    if (!translated) return [`${at}: not in Kiswahili: ${strings.join("…")}`];
    const values = typeof translated === "string" ? [] : [...translated.values].sort();
    const said = typeof translated === "string" ? translated : translated.strings.join("");
    const brackets = (text: string) => (text.match(/[[\]]/g) ?? []).join("");
    const same = values.length === strings.length - 1 && values.every((value, i) => value === i);
    return same && said.trim() !== "" && brackets(said) === brackets(strings.join("")) ? [] : [`${at}: other values or brackets in Kiswahili`];
  });
  expect(wrong).toEqual([]);
});

it("has nothing in Kiswahili that is said nowhere", () => {
  const said = new Set(messages.map(idOf));
  expect(Object.keys(KISWAHILI).filter((id) => !said.has(id))).toEqual([]);
});
