/** What the first page tells of the gameweeks: public answers, which the edge keeps. */
import { api, type Schemas } from "../../api/client";
import { readGameweekStatus } from "../../api/gameweek-status";
import { answerOf, type Result } from "../../api/refusal";

export type Status = Awaited<ReturnType<typeof readGameweekStatus>>;
export type Settlement = Schemas["SettlementView"];
type Week = Schemas["GameweekSoFar"];

/** What could not be read is null, and is left out of the page. */
export type Figures = {
  status: Status | null;
  /** The last gameweek whose draw is public, as its page names it: `2026-02`. */
  drawn: string | null;
  /** The last gameweek that paid prizes, and one of its leagues: where the operator may show winners. */
  paid: Paid | null;
};

export type Paid = { number: number; prizes: number; entries: number; leagues: number; league: Settlement | null };

const orNull = <T>(answer: Promise<T>): Promise<T | null> => answer.catch(() => null);
const known = <T>(call: Promise<Result<T>>) => orNull(answerOf(call));

export async function readFigures(signal: AbortSignal): Promise<Figures> {
  const [status, weeks, settings] = await Promise.all([
    orNull(readGameweekStatus(signal)),
    known(api.GET("/api/gameweeks", { signal })),
    known(api.GET("/api/settings", { signal })),
  ]);
  const drawn = weeks?.find(({ drawnAt, amounts }) => drawnAt && amounts.some(({ leagues }) => leagues > 0));
  const paid = settings?.promotions ? weeks?.find(({ settledAt, prizes }) => settledAt && prizes) : undefined;
  return { status, drawn: drawn ? nameOf(drawn) : null, paid: paid ? await readPaid(paid, signal) : null };
}

const nameOf = ({ season, number }: Week) => `${season}-${String(number).padStart(2, "0")}`;

async function readPaid(week: Week, signal: AbortSignal): Promise<Paid> {
  const { number, amounts } = week;
  // Where nobody else joined, the entry was given back.
  const drawn = amounts.filter(({ leagues }) => leagues > 0);
  const sum = (of: "entries" | "leagues") => drawn.reduce((total, amount) => total + amount[of], 0);
  const [played] = drawn;
  const id = played && `${nameOf(week)}-${played.entryAmount}-00001`;
  const league = id ? await known(api.GET("/api/leagues/{id}/settlement", { params: { path: { id } }, signal })) : null;
  const isPaid = league?.ranking.some(({ prize }) => prize > 0) ?? false;
  return { number, prizes: week.prizes ?? 0, entries: sum("entries"), leagues: sum("leagues"), league: isPaid ? league : null };
}
