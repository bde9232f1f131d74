/** As the official game and its players call them, in every language. */
const CHIPS: Record<string, string> = {
  bboost: "Bench Boost",
  "3xc": "Triple Captain",
  freehit: "Free Hit",
  wildcard: "Wildcard",
};

/** A chip as players call it; one that is newer than this page by the official game's name. */
export const chipName = (chip: string) => CHIPS[chip] ?? chip;
