/** The order of a league (spec §5): points, then bench points, both from the top. */

export type Member = {
  readonly fplId: string;
  readonly username: string;
  /** Null while they are not known. */
  readonly points: number | null;
  readonly bench: number | null;
  /** Before extra transfers are paid for. */
  readonly gross: number | null;
  /** What extra transfers cost, in points. */
  readonly hits: number | null;
  /** By the official game's name. */
  readonly chip: string | null;
  /** The official figures, which change no more. */
  readonly final: boolean;
  /** The league was settled on our own figures of this team. */
  readonly ours?: boolean;
  /** How the team is doing on the pitch; absent until that is known. */
  readonly now?: { readonly captain: string | null; readonly played: number; readonly playing: number; readonly left: number } | null;
  /** In KES; null until the league is settled. */
  readonly prize: number | null;
  readonly refund: number | null;
  /** Still being asked for. */
  readonly loading: boolean;
  /** It could not be had: shown as 0 with a mark, and nothing is ever paid on it. */
  readonly missing: boolean;
};

export type Ranked = Member & {
  /** Null until somebody has points, and for whom none are known. */
  readonly rank: number | null;
  /** Somebody else has the same points, so bench points decide and are shown. */
  readonly tied: boolean;
};

/** Official, what the league was settled on, or given back: nothing moves any more. */
export const isOver = ({ final, ours = false, refund }: Member) => final || ours || Boolean(refund);

const worth = (member: Member) => [member.points ?? 0, member.bench ?? 0] as const;

/** Whose points are not known, though they may come: not yet counted, or not read. */
const isUnknown = ({ points, missing }: Member) => points === null && !missing;

/** Ranked; equal in both figures is the same rank. Who is not known yet stands last, without one: others may be below 0. */
export function rank(members: readonly Member[]): Ranked[] {
  const sorted = [...members].sort((a, b) => {
    const [pointsA, benchA] = worth(a);
    const [pointsB, benchB] = worth(b);
    return Number(isUnknown(a)) - Number(isUnknown(b)) || pointsB - pointsA || benchB - benchA;
  });
  const known = members.some((member) => member.points !== null);
  return sorted.map((member) => ({
    ...member,
    rank: known && !isUnknown(member) ? 1 + sorted.findIndex((other) => sameWorth(other, member)) : null,
    tied: member.points !== null && sorted.some((other) => other !== member && other.points === member.points),
  }));
}

/** A settled league: the order and the ranks are its record's, whatever is counted of a team since. */
export const settled = (members: readonly (Member & { readonly place: number | null })[]): Ranked[] =>
  members.map(({ place, ...member }) => ({
    ...member,
    rank: place,
    tied: member.points !== null && members.some((other) => other.fplId !== member.fplId && other.points === member.points),
  }));

const sameWorth = (a: Member, b: Member) => worth(a).every((figure, i) => figure === worth(b)[i]);
