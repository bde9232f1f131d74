/** Days and months as the server's lists have them, by the product's clock: the audit's are UTC, the exports' Kenya's. */
import { useQuery } from "@tanstack/react-query";
import { gameweekStatusQuery } from "../../api/queries";
import { productNow } from "../../lib/clock";
import { inEastAfrica } from "../../lib/time";

/** Today, `2026-11-20`, UTC and in Kenya; undefined until the product has told its time. */
export function useToday(): { utc?: string; kenya?: string } {
  const { data: status } = useQuery(gameweekStatusQuery);
  if (!status) return {};
  const now = new Date(productNow(status.clock));
  return { utc: dayOf(now), kenya: dayOf(inEastAfrica(now)) };
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The month of a day and those before it, newest first: `2026-11`, `2026-10`, … */
export function monthsUntil(day: string, count: number): string[] {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return Array.from({ length: count }, (_, back) => new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7));
}

const MONTH = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "long", year: "numeric" });
/** `November 2026`. */
export const monthName = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`));

const DAY_MS = 86_400_000;

/** How much of a period a day has reached, in whole percent. */
export function shareOf(from: string, to: string, day: string | null): number {
  if (!day) return 0;
  const [first, last, now] = [from, to, day].map((text) => Date.parse(`${text}T00:00:00Z`)) as [number, number, number];
  const share = (100 * (now - first + DAY_MS)) / (last - first + DAY_MS);
  return Math.floor(Math.min(100, Math.max(0, share)));
}
