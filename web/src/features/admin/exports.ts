import { api } from "../../api/client";
import { parsed, refused, type Parsed } from "../../lib/parsed";
import { tablePageOf } from "./table-pages";
import type { Wanted } from "./use-table";

export const TABLES = {
  postings: "Postings",
  withdrawals: "Withdrawals",
  payments: "M-Pesa prompts",
  taxes: "Taxes kept back",
} as const;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];
export const isTableName = (text: string): text is TableName => text in TABLES;

/** A day as the date field has it; browsers without one let anything be typed. */
export function readDay(typed: string): Parsed<string> {
  const text = typed.trim();
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  return isDay ? parsed(text) : refused("Enter a day, such as 2026-11-20.");
}

/** The last day of a period, which does not come before the first. */
export function readLastDay(typed: string, first: Parsed<string>): Parsed<string> {
  const last = readDay(typed);
  if (last.ok && first.ok && last.value < first.value) return refused("The last day comes before the first.");
  return last;
}

/** One table over a period of Kenya's days. */
export const exportOf = (what: TableName, from: string, to: string): Wanted => ({
  name: `${what}-${from}-${to}`,
  load: (cursor, signal) =>
    tablePageOf(
      api.GET("/api/admin/exports/{what}", {
        params: { path: { what }, query: { from, to, ...(cursor && { cursor }) } },
        parseAs: "text",
        signal,
      }),
    ),
});
