import { describe, expect, test } from "vitest";
import { pageOf, shownIn } from "./push";

describe("a push", () => {
  test("is shown as the server says it", () => {
    const told = { kind: "prize", title: "You won KSh 450", body: "See it.", path: "/leagues?gameweek=1&amount=50", tag: "prize#1", lang: "sw" };
    expect(shownIn(JSON.stringify(told))).toEqual({ title: told.title, body: told.body, path: told.path, tag: told.tag, lang: "sw" });
  });

  test.each([undefined, "", "no JSON", "null", "[]", "7", '{"title": 7}'])("that is %j is shown all the same", (text) => {
    expect(shownIn(text)).toMatchObject({ title: "FPL Leagues", path: "/payment" });
  });

  test.each(["https://evil.test", "//evil.test", "/\\evil.test", "javascript:alert(1)", "", undefined, 7])("opens no page of elsewhere: %j", (path) => {
    expect(pageOf(path)).toBe("/payment");
  });
});
