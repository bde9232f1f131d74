/**
 * Times as players read them: East Africa Time (UTC+3, no daylight saving), with the day. Not by Intl: the first of its
 * formats keeps a cheap phone busy for a tenth of a second.
 */
import { msg, str } from "./i18n";

const EAST_AFRICA_MS = 3 * 3_600_000;

const weekdays = () => [msg("Sun"), msg("Mon"), msg("Tue"), msg("Wed"), msg("Thu"), msg("Fri"), msg("Sat")];
const months = () => [
  msg("Jan"), msg("Feb"), msg("Mar"), msg("Apr"), msg("May"), msg("Jun"),
  msg("Jul"), msg("Aug"), msg("Sep"), msg("Oct"), msg("Nov"), msg("Dec"),
];

/** The same hour in UTC: its UTC fields are East Africa's. */
export const inEastAfrica = (at: Date) => new Date(at.getTime() + EAST_AFRICA_MS);

/** `22 Aug`, by UTC. */
export const dayAndMonth = (at: Date) => `${at.getUTCDate()} ${months()[at.getUTCMonth()]}`;

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** `Sat 22 Aug, 13:30`, `Jumamosi 22 Ago, 13:30`. */
export function eastAfricaTime(at: Date): string {
  const there = inEastAfrica(at);
  const time = `${twoDigits(there.getUTCHours())}:${twoDigits(there.getUTCMinutes())}`;
  return `${weekdays()[there.getUTCDay()]} ${dayAndMonth(there)}, ${time}`;
}

/** `22 Aug` of `2026-08-22`: a day without a time, as the server's lists have it. */
export const dayName = (day: string) => dayAndMonth(new Date(`${day}T00:00:00Z`));

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const inOneLine = (text: string) => text.replace(/ /g, "\u00a0");

/** What is left, as `2 d 4 h`, `3 h 12 min` or `4:09`; `0:00` when nothing is. Milliseconds in. */
export function timeLeft(ms: number): string {
  if (ms >= DAY) return inOneLine(msg(str`${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`));
  if (ms >= HOUR) return inOneLine(msg(str`${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`));
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
}

/** How long something has waited, in its largest unit: `3 d`, `5 h`, `12 min`. Milliseconds in. */
export function ageOf(ms: number): string {
  if (ms >= DAY) return msg(str`${Math.floor(ms / DAY)} d`);
  if (ms >= HOUR) return msg(str`${Math.floor(ms / HOUR)} h`);
  return msg(str`${Math.max(0, Math.floor(ms / MINUTE))} min`);
}
