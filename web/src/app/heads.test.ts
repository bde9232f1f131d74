/** What the distribution makes of an address (`WebRewrite` of the template): the page whose head goes out with it. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const [, code = ""] = /WebRewrite:[^]*?FunctionCode: \|\n([^]*?\n {8}\})\n/.exec(readFileSync("../template.yaml", "utf8")) ?? [];
const handler = runInNewContext(`${code}; handler`) as (event: object) => { uri: string };

test.each([
  ["/", "/index.html"],
  ["/leagues", "/pages/leagues.html"],
  ["/leagues/2026-03-50-00002/settlement", "/pages/leagues/settlement.html"],
  ["/gameweeks/2026-03/draw", "/pages/gameweeks/draw.html"],
  ["/leagues/2026-03/draw", "/index.html"],
  ["/leagues/a/b/settlement", "/index.html"],
  ["/cases/c1", "/index.html"],
  ["/assets/a-1234.js", "/assets/a-1234.js"],
])("%s is %s", (uri, page) => {
  expect(handler({ request: { uri } }).uri).toBe(page);
});
