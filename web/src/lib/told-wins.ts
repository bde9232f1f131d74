/**
 * Which gameweeks had been decided when a player was last told of wins on this device, by the player's id. It stays when
 * somebody logs out, so that nobody is told the same twice.
 */
const KEY = "decided:";
const GAMEWEEKS = /^\d{4}-\d{2}(,\d{4}-\d{2})*$/;

/** The gameweeks (`2026-03`) whose results this player has seen; null where none was ever told. */
export const seenGameweeks = (userId: string): readonly string[] | null => localStorage.getItem(KEY + userId)?.split(",") ?? null;
export const noteSeen = (userId: string, gameweeks: readonly string[]) => {
  if (gameweeks.length > 0) localStorage.setItem(KEY + userId, gameweeks.join());
};

/** Does what empties the local storage, and puts these back: nothing but gameweeks. */
export function keepingToldWins(empty: () => void) {
  const seen = Object.keys(localStorage).flatMap((key) => {
    const gameweeks = localStorage.getItem(key) ?? "";
    return key.startsWith(KEY) && GAMEWEEKS.test(gameweeks) ? [[key, gameweeks] as const] : [];
  });
  empty();
  for (const [key, gameweeks] of seen) localStorage.setItem(key, gameweeks);
}
