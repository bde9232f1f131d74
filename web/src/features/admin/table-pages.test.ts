import { describe, expect, test } from "vitest";
import { append, goOn, type TablePage } from "./table-pages";
import { monthsUntil, shareOf } from "./days";

describe("a table in pages (item 5, exports)", () => {
  test("the head is no row, and the last row's day is how far it is", () => {
    const first = append(null, { text: "at,legs\r\n2026-08-01T08:00:00Z,x\r\n2026-08-02T08:00:00Z,y\r\n", next: "p2" });
    expect(first).toMatchObject({ rows: 2, day: "2026-08-02", cursor: "p2" });
    // So many days may have been looked through without a row.
    const empty = append(first, { text: "", next: "p3" });
    expect(empty).toMatchObject({ rows: 2, day: "2026-08-02", cursor: "p3" });
  });

  test("a hundred pages make one file", async () => {
    const load = (cursor: string | undefined): Promise<TablePage> => {
      const at = Number(cursor ?? 0);
      return Promise.resolve({ text: `${at === 0 ? "id\r\n" : ""}${"row\r\n".repeat(1000)}`, next: at < 99 ? String(at + 1) : null });
    };
    const whole = await goOn(null, load, () => undefined, new AbortController().signal);
    expect(whole).toMatchObject({ rows: 100_000, cursor: null });
    expect(whole?.pages).toHaveLength(100);
  });

  test("a page that names itself as the next one ends it with an error", async () => {
    const load = () => Promise.resolve({ text: "id\r\n", next: "same" });
    await expect(goOn(null, load, () => undefined, new AbortController().signal)).rejects.toThrow("names itself");
  });
});

test("months go back over the new year, and a day is a share of its period", () => {
  expect(monthsUntil("2026-02-20", 3)).toEqual(["2026-02", "2026-01", "2025-12"]);
  expect(shareOf("2026-08-01", "2026-08-10", null)).toBe(0);
  expect(shareOf("2026-08-01", "2026-08-10", "2026-08-05")).toBe(50);
  expect(shareOf("2026-08-01", "2026-08-10", "2026-08-12")).toBe(100);
});
