/** What a field holds once it has been read: its value, or the text that tells what is wrong. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const refused = (error: string): Parsed<never> => ({ ok: false, error });

/** The text to show under a field, or nothing. */
export const errorOf = (result: Parsed<unknown>): string | undefined =>
  result.ok ? undefined : result.error;
