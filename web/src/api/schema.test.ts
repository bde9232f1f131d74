import { readFile } from "node:fs/promises";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, test } from "vitest";

test("the committed types are those of the committed document", async () => {
  const document = await readFile("src/api/openapi.json", "utf8");
  const types = COMMENT_HEADER + astToString(await openapiTS(document));
  const committed = await readFile("src/api/schema.d.ts", "utf8");
  expect(types === committed, "src/api/schema.d.ts is out of date: run `npm run api`").toBe(true);
});
