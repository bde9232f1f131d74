/** What an entry costs, in KES (spec §9). */
export const ENTRY_AMOUNTS = [50, 100, 250] as const;
export type Amount = (typeof ENTRY_AMOUNTS)[number];

/** The amount that a text names; the default where it names none. */
export const amountOf = (text: string | null): Amount =>
  ENTRY_AMOUNTS.find((amount) => String(amount) === text) ?? ENTRY_AMOUNTS[0];
