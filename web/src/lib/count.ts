/** `1 player`, `2 players`. */
export const count = (many: number, thing: string) => `${many} ${thing}${many === 1 ? "" : "s"}`;
