/** What there is to say, one after the other. */
export const sentences = (...said: readonly (string | null | undefined)[]): string => said.filter(Boolean).join(" ");
