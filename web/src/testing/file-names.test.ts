import { expect, test } from "vitest";

/** Where upper and lower case are one (macOS), an import of `./Cases` may find `cases.ts`. */
test("no two modules of a folder differ by case alone", () => {
  const names = Object.keys(import.meta.glob("../**/*.{ts,tsx}")).map((path) => path.replace(/\.tsx?$/, "").toLowerCase());
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
