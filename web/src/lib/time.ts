/** Times as players read them: East Africa Time (UTC+3, no daylight saving), with the day. */
import { language, msg, str } from "./i18n";
import type { Language } from "./language";

const EAST_AFRICA: Intl.DateTimeFormatOptions = {
  timeZone: "Africa/Nairobi",
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};
const DAY_OF_MONTH: Intl.DateTimeFormatOptions = { timeZone: "UTC", day: "numeric", month: "short" };

const LOCALES: Record<Language, string> = { en: "en-GB", sw: "sw-KE" };

/** One is made once: that takes longer than all that it writes. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function partsOf(at: Date, options: Intl.DateTimeFormatOptions) {
  const key = `${language()} ${options.timeZone} ${options.year}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(LOCALES[language()], options);
  formats.set(key, format);
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** Three letters: Intl writes "Sept" beside "Aug". */
export const MONTH_LETTERS = 3;

/** `Sat 22 Aug, 13:30`, `Jumamosi 22 Ago, 13:30`. */
export function eastAfricaTime(at: Date): string {
  const part = partsOf(at, EAST_AFRICA);
  return `${part.weekday} ${part.day} ${part.month?.slice(0, MONTH_LETTERS)}, ${part.hour}:${part.minute}`;
}

/** `22 Aug` of `2026-08-22`: a day without a time, as the server's lists have it. */
export function dayName(day: string): string {
  const part = partsOf(new Date(`${day}T00:00:00Z`), DAY_OF_MONTH);
  return `${part.day} ${part.month?.slice(0, MONTH_LETTERS)}`;
}

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
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long something has waited, in its largest unit: `3 d`, `5 h`, `12 min`. Milliseconds in. */
export function ageOf(ms: number): string {
  if (ms >= DAY) return msg(str`${Math.floor(ms / DAY)} d`);
  if (ms >= HOUR) return msg(str`${Math.floor(ms / HOUR)} h`);
  return msg(str`${Math.max(0, Math.floor(ms / MINUTE))} min`);
}
