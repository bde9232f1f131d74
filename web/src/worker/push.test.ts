import { describe, expect, test } from "vitest";
import { isSilent, pageOf, shownIn } from "./push";

describe("a push", () => {
  test("is shown as the server says it", () => {
    const told = { kind: "prize", title: "You won KSh 450", body: "See it.", path: "/leagues?gameweek=1&amount=50", tag: "prize#1", lang: "sw", ringsUntil: 7 };
    expect(shownIn(JSON.stringify(told))).toEqual({ title: told.title, body: told.body, path: told.path, tag: told.tag, lang: "sw", ringsUntil: 7 });
  });

  test.each([undefined, "", "no JSON", "null", "[]", "7", '{"title": 7}'])("that is %j is shown all the same", (text) => {
    expect(shownIn(text)).toMatchObject({ title: "FPL Leagues", path: "/payment" });
  });

  const elsewhere = ["https://evil.test", "//evil.test", "/\\evil.test", "/\t/evil.test", "/\n/evil.test", "/\r\\evil.test", "javascript:alert(1)"];

  test.each([...elsewhere, "", undefined, 7])("opens no page of elsewhere: %j", (path) => {
    expect(pageOf(path)).toBe("/payment");
  });

  test.each(elsewhere)("that leads elsewhere is shown, and leads to a page of ours: %j", (path) => {
    expect(shownIn(JSON.stringify({ title: "You won", path }))).toMatchObject({ title: "You won", path: "/payment" });
  });

  test.each([
    ["2026-08-20T18:59:59Z", undefined, false],
    ["2026-08-20T19:00:00Z", undefined, true],
    ["2026-08-21T03:59:59Z", undefined, true],
    ["2026-08-21T04:00:00Z", undefined, false],
    ["2026-08-20T19:30:00Z", "2026-08-20T19:31:00Z", false],
    ["2026-08-20T19:31:00Z", "2026-08-20T19:31:00Z", true],
  ])("makes no noise at night in Kenya unless it is waited for: at %s, until %s", (now, until, silent) => {
    const { ringsUntil } = shownIn(JSON.stringify(until ? { ringsUntil: Date.parse(until) } : {}));
    expect(isSilent(Date.parse(now), ringsUntil)).toBe(silent);
  });
});
