import type { Footballer } from "../leagues";
import { worth } from "./why";
import { msg, str } from "../../../lib/i18n";
import { plural } from "../../../lib/plural";

export type Difference = {
  id: number;
  footballer: Footballer;
  /** How often he counts in the other team: 0 where he is not in it, or on its bench. */
  there: number;
  /** What he brings this team beyond what he brings the other one, now. */
  points: number;
};

export type Comparison = { mine: Difference[]; theirs: Difference[] };

/** What two teams do not share: footballers who count in one of them only, or more often in one of them. */
export function compare(mine: readonly Footballer[], theirs: readonly Footballer[]): Comparison {
  return { mine: beyond(mine, theirs), theirs: beyond(theirs, mine) };
}

function beyond(team: readonly Footballer[], other: readonly Footballer[]): Difference[] {
  const often = new Map(other.map(({ id, multiplier }) => [id, multiplier]));
  const more = team.filter(({ id, multiplier }) => multiplier > (often.get(id) ?? 0));
  return more
    .map((footballer) => {
      const there = often.get(footballer.id) ?? 0;
      return { id: footballer.id, footballer, there, points: worth(footballer) - footballer.points * there };
    })
    .sort((a, b) => b.points - a.points);
}

type Standing = { points: number | null; bench: number | null; over: boolean };

/** What I need to pass somebody, in a sentence; bench points decide where points are equal. `over`: nothing moves any more. */
export function toPass(me: Standing, other: Standing, name: string): string | null {
  if (me.points === null || other.points === null) return null;
  const behind = other.points - me.points;
  const bench = (other.bench ?? 0) - (me.bench ?? 0);
  if (me.over && other.over) return howItEnded(behind, bench, name);
  if (behind > 0) {
    // Level on points, the better bench is ahead.
    const more = bench < 0 ? behind : behind + 1;
    return plural(more, msg(str`You need ${more} more point to pass ${name}.`), msg(str`You need ${more} more points to pass ${name}.`));
  }
  if (behind < 0) {
    const more = bench > 0 ? -behind : 1 - behind;
    return plural(
      -behind,
      msg(str`You are ${-behind} point ahead: ${name} needs ${more} more to pass you.`),
      msg(str`You are ${-behind} points ahead: ${name} needs ${more} more to pass you.`),
    );
  }
  if (bench === 0) return msg(str`You are level with ${name}, on the bench too: 1 more point passes them.`);
  return bench > 0
    ? msg(str`You are level, and ${name} is ahead by bench points: 1 more point passes them.`)
    : msg(str`You are level, and ahead of ${name} by bench points.`);
}

function howItEnded(behind: number, bench: number, name: string): string {
  if (behind > 0) return plural(behind, msg(str`${name} had ${behind} point more.`), msg(str`${name} had ${behind} points more.`));
  if (behind < 0) return plural(-behind, msg(str`You had ${-behind} point more.`), msg(str`You had ${-behind} points more.`));
  if (bench === 0) return msg(str`You and ${name} were level, on the bench too.`);
  return bench > 0
    ? msg(str`You were level, and ${name} was ahead by bench points.`)
    : msg(str`You were level, and ahead of ${name} by bench points.`);
}
