/** docs/spec-tests.md and the tests that it names: neither goes without the other. */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const SECTIONS = ["2", "4", "5", "8"];

/** One test that a row of the table names. */
type Named = { section: string; file: string; title: string };
/** One test as it stands in its file; `groups` are the titles of what it is described in. */
type Found = { file: string; groups: string[]; title: string };

const sectionsOf = (title: string) => /\(spec sections? ([^)]*)\)/.exec(title)?.[1]?.match(/\d+/g) ?? [];
/** As the table writes it: without its sections, and without the number of a case. */
const bare = (title: string) => title.replace(/\s*\(spec sections? [^)]*\)/, "").replace(/\s*\(%#\)$/, "");

function namedIn(document: string): Named[] {
  return document.split(/^## Section /m).slice(1).flatMap((part) => {
    const [section = ""] = part.match(/^\d+/) ?? [];
    const cells = [...part.matchAll(/^\|.* \| (.*) \|$/gm)].map(([, tests = ""]) => tests);
    return cells.slice(1).filter((tests) => !tests.startsWith("none: ")).flatMap((tests) => {
      let file = "";
      return tests.split("<br>").map((item) => {
        const [, path, title = item] = /^`([^`]+)`: (.*)$/.exec(item) ?? [];
        file = path ?? file;
        return { section, file, title };
      });
    });
  });
}

/** `test` and `describe`, and what they return for a table of cases. */
function nameOf(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text;
  if (ts.isCallExpression(called)) return nameOf(called.expression);
  if (ts.isPropertyAccessExpression(called) && called.name.text === "each") return nameOf(called.expression);
  return "";
}

function testsIn(file: string): Found[] {
  const found: Found[] = [];
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, groups: string[]): void => {
    const within = [...groups];
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    if (title && ts.isCallExpression(node) && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
      const text = ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : title.text;
      const name = nameOf(node.expression);
      if (name === "describe") within.push(text);
      if (name === "test") found.push({ file, groups, title: text });
    }
    node.forEachChild((child) => visit(child, within));
  };
  visit(source, []);
  return found;
}

const named = namedIn(readFileSync("../docs/spec-tests.md", "utf8"));
const found = [...readdirSync("src", { recursive: true, encoding: "utf8" }).map((path) => `src/${path}`), ...readdirSync("e2e").map((path) => `e2e/${path}`)]
  .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
  .flatMap(testsIn);

const isNamed = ({ file, title }: Named, by: Found) =>
  by.file === file && [bare(by.title), `${bare(by.groups.at(-1) ?? "")} > ${bare(by.title)}`].includes(title);

test("every test that a row names is there, once, and names the row's section", () => {
  expect(named.length).toBeGreaterThan(150);
  const wrong = named.flatMap((row) => {
    const where = `section ${row.section}, ${row.file}: ${row.title}`;
    if (row.file.startsWith("functions/")) {
      return readFileSync(`../${row.file}`, "utf8").includes(`fn ${row.title}(`) ? [] : [`not there: ${where}`];
    }
    const tests = found.filter((one) => isNamed(row, one));
    if (tests.length !== 1) return [`there are ${tests.length} of this name: ${where}`];
    const sections = tests.flatMap(({ groups, title }) => [...groups, title]).flatMap(sectionsOf);
    return sections.includes(row.section) ? [] : [`does not name the section: ${where}`];
  });
  expect(wrong).toEqual([]);
});

test("every test that names a section is in a row of it; of a group that does, one test at least", () => {
  const inRow = (section: string, tests: Found[]) =>
    tests.some((one) => named.some((row) => row.section === section && isNamed(row, one)));
  const lacking = found.flatMap((one) => {
    const own = sectionsOf(one.title).filter((section) => SECTIONS.includes(section) && !inRow(section, [one]));
    const groups = one.groups.flatMap((group) => {
      const tests = found.filter(({ file, groups: theirs }) => file === one.file && theirs.includes(group));
      return sectionsOf(group).filter((section) => SECTIONS.includes(section) && !inRow(section, tests));
    });
    return [...own, ...groups].map((section) => `no row of section ${section}: ${one.file}: ${one.title}`);
  });
  expect(lacking).toEqual([]);
});
