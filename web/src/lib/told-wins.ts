/**
 * Which gameweek's win each player was told of on this device: a gameweek, by the player's id. It stays when somebody
 * logs out, so that nobody is told the same twice.
 */
const KEY = "toldWin:";
const GAMEWEEK = /^\d{4}-\d{2}$/;

/** The last gameweek (`2026-03`) whose win this player was told of; null where none was. */
export const lastTold = (userId: string) => localStorage.getItem(KEY + userId);
export const noteTold = (userId: string, gameweek: string) => localStorage.setItem(KEY + userId, gameweek);

/** Does what empties the local storage, and puts these back: nothing but gameweeks. */
export function keepingToldWins(empty: () => void) {
  const told = Object.keys(localStorage).flatMap((key) => {
    const gameweek = localStorage.getItem(key) ?? "";
    return key.startsWith(KEY) && GAMEWEEK.test(gameweek) ? [[key, gameweek] as const] : [];
  });
  empty();
  for (const [key, gameweek] of told) localStorage.setItem(key, gameweek);
}
