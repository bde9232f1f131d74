/** Shirts of our own: body, sleeves and letters by a club's three letters, plain colours and nobody's crest. */
type Shirt = { body: string; sleeves: string; letters: string };

const WHITE = "#ffffff";
const BLACK = "#111111";

const KNOWN: Record<string, readonly [body: string, sleeves: string, letters?: string]> = {
  ARS: ["#c8102e", WHITE],
  AVL: ["#670e36", "#95bfe5"],
  BHA: ["#0057b8", WHITE],
  BOU: ["#b50e12", BLACK],
  BRE: ["#d20000", WHITE],
  BUR: ["#6c1d45", "#99d6ea"],
  CHE: ["#034694", "#034694"],
  COV: ["#59cbe8", WHITE, BLACK],
  CRY: ["#1b458f", "#c4122e"],
  EVE: ["#003399", "#003399"],
  FUL: [WHITE, BLACK, BLACK],
  HUL: ["#f5a12d", BLACK, BLACK],
  IPS: ["#0044a9", WHITE],
  LEE: [WHITE, "#1d428a", "#1d428a"],
  LEI: ["#003090", "#003090"],
  LIV: ["#c8102e", "#c8102e"],
  LUT: ["#a83f00", "#002d62"],
  MCI: ["#6cabdd", WHITE, BLACK],
  MUN: ["#b8191d", BLACK],
  NEW: [BLACK, WHITE],
  NFO: ["#c50000", "#c50000"],
  SHU: ["#c4121f", WHITE],
  SOU: ["#c00d26", WHITE],
  SUN: ["#c8102e", WHITE],
  TOT: [WHITE, "#132257", "#132257"],
  WHU: ["#7a263a", "#1bb1e7"],
  WOL: ["#f5a800", BLACK, BLACK],
};

const OTHERS = ["#0b5d3b", "#7a1f5c", "#1d4f91", "#9a3412", "#3f3d8f", "#0f6674", "#8a1c2c", "#4d5a1f", "#5b2a86", "#30475e"];

export function shirtOf(club: string | null): Shirt {
  const [body, sleeves, letters = WHITE] = KNOWN[club ?? ""] ?? other(club ?? "");
  return { body, sleeves, letters };
}

/** A club that is new here has colours that stay its own. */
function other(club: string): readonly [string, string] {
  const sum = [...club].reduce((all, letter) => all * 7 + letter.charCodeAt(0), 0);
  const at = (n: number) => OTHERS[n % OTHERS.length] ?? BLACK;
  return [at(sum), sum % 3 === 0 ? WHITE : at(sum)];
}
