/**
 * A table that comes in pages which are appended to one file: only the first page has the head. What has come
 * stays when a page fails, and is gone on with.
 */
import { answerOf, type Result } from "../../api/refusal";
import { last } from "../../lib/last";

export type TablePage = { text: string; next: string | null };
export type LoadTable = (cursor: string | undefined, signal: AbortSignal) => Promise<TablePage>;

export type SoFar = {
  readonly pages: readonly string[];
  /** Where to go on; null where the table is whole. */
  readonly cursor: string | null;
  /** Rows without the head. */
  readonly rows: number;
  /** The day of the last row, `2026-11-14`, where rows have days and are in their order. */
  readonly day: string | null;
};

export async function tablePageOf(call: Promise<Result<unknown>>): Promise<TablePage> {
  const text = await answerOf(call);
  return { text: String(text), next: (await call).response.headers.get("x-next-cursor") };
}

const END = "\r\n";
const rowsIn = (text: string) => text.split(END).length - 1;

/** The first day that the last row tells. */
function lastDay(text: string): string | null {
  return /\b(\d{4}-\d{2}-\d{2})T/.exec(last(text.trimEnd().split(END)) ?? "")?.[1] ?? null;
}

/** What there is with one page more. */
export function append(soFar: SoFar | null, { text, next }: TablePage): SoFar {
  if (next !== null && next === soFar?.cursor) throw new Error("a page names itself as the next one");
  const head = soFar ? 0 : 1;
  return {
    pages: [...(soFar?.pages ?? []), text],
    cursor: next,
    rows: (soFar?.rows ?? 0) + rowsIn(text) - head,
    day: lastDay(text) ?? soFar?.day ?? null,
  };
}

/** Asks for page after page from where it stopped; the caller keeps what has come. */
export async function goOn(from: SoFar | null, load: LoadTable, keep: (soFar: SoFar) => void, signal: AbortSignal) {
  let soFar = from;
  do {
    const page = await load(soFar?.cursor ?? undefined, signal);
    if (signal.aborted) return null;
    soFar = append(soFar, page);
    keep(soFar);
  } while (soFar.cursor !== null);
  return soFar;
}
