/** A player's win: told once on a device, and drawn as a picture that can be shared. */
import { isInPlay, stateOf } from "../../lib/entry-outcome";
import { leagueNumber } from "../../lib/gameweek";
import { ksh } from "../../lib/money";
import type { Entry } from "./entries";
import { msg, str } from "../../lib/i18n";

/** On a device that has never announced a win, only wins among the player's last two decided gameweeks are announced. */
const NEWS_OF = 2;

/** Those of which it is known what came of them. */
const decided = (entries: readonly Entry[]) => entries.filter((entry) => !isInPlay(entry));
export const decidedGameweeks = (entries: readonly Entry[]) => decided(entries).map(({ gameweek }) => gameweek);

/**
 * The wins of which the player was not told, among entries, both with the newest first. A league may be settled after that of
 * a later gameweek. `seen`: the gameweeks that were decided when wins were last told; null where none ever was.
 */
export function untoldWins(entries: readonly Entry[], seen: readonly string[] | null): Entry[] {
  const untold = seen ? decided(entries).filter(({ gameweek }) => !seen.includes(gameweek)) : decided(entries).slice(0, NEWS_OF);
  return untold.filter((entry) => stateOf(entry) === "won");
}

/** What the picture says, and the message beside it: without the player's name unless it is wanted. */
export type WinPicture = { what: string; prize: string; how: string; name: string | null };

export const pictureOf = ({ number, league, prize, rank, points }: Entry, name: string | null): WinPicture => ({
  what: league ? msg(str`Gameweek ${number} · Group #${leagueNumber(league)}`) : msg(str`Gameweek ${number}`),
  prize: ksh(prize),
  how: typeof rank === "number" ? msg(str`Rank ${rank} with ${points ?? 0} points`) : "",
  name,
});

export const messageOf = ({ number, prize, rank, points }: Entry, origin: string) =>
  msg(str`I won ${ksh(prize)} in gameweek ${number}: rank ${rank} with ${points ?? 0} points. ${origin}/`);

export const SIZE = 1080;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const GREEN = "#0a4d32";
const SHIRT = "M-14 0c4 9 24 9 28 0l17 6 16 25-16 11-7-9v56h-48v-56l-7 9-16-11 16-25z";

/** Draws it; where the browser draws nothing, nothing is there to share. */
export function draw(canvas: HTMLCanvasElement, { what, prize, how, name }: WinPicture) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const write = (text: string, y: number, size: number, colour: string, weight = 400) => {
    pen.fillStyle = colour;
    // A long name or prize is made to fit.
    for (let fit = size; fit > size / 2; fit -= 4) {
      pen.font = `${weight} ${fit}px ${FONT}`;
      if (pen.measureText(text).width <= SIZE - 120) break;
    }
    pen.fillText(text, SIZE / 2, y);
  };
  pen.textAlign = "center";
  pen.fillStyle = GREEN;
  pen.fillRect(0, 0, SIZE, SIZE);
  shirts(pen);
  write("FPL Leagues", 130, 52, "#ffffff", 700);
  write(what, 212, 44, "#cfe6d9");
  write(name ? msg(str`${name} won`) : msg("I won"), 560, 60, "#ffffff", 600);
  write(prize, 720, 160, "#f6b545", 800);
  write(how, 812, 52, "#ffffff");
  write(msg("18 or older. Play only with money you can afford to lose."), 1004, 32, "#cfe6d9");
}

/** Ten, and the one on top. */
function shirts(pen: CanvasRenderingContext2D) {
  const shirt = new Path2D(SHIRT);
  for (let i = 0; i < 10; i++) {
    const isWinner = i === 4;
    pen.save();
    pen.translate(103 + 97 * i, isWinner ? 296 : 346);
    pen.fillStyle = isWinner ? "#f6b545" : "#2f8f66";
    pen.fill(shirt);
    pen.restore();
  }
}
