/** Three leagues of a gameweek, with the player of the pictures in the second. */
export const NAMES = ["otieno", "achieng_ke", "kamau254", "njeri", "mwangi", "barasa", "cherono", "wanjiru", "omondi", "zawadi"];
const CHIPS: Record<number, string> = { 1: "bboost", 4: "3xc" };
const users = (state: string) =>
  NAMES.map((username, i) => {
    const hits = i % 3 === 1 ? 4 : 0;
    const points = state === "provisional" ? null : 78 - 4 * Math.floor(i / 2);
    return {
      fplId: String(4235 + i),
      username,
      points,
      points_on_bench: points && (i === 1 ? 0 : 12 - i),
      gross: points && points + hits,
      transfersCost: points && hits,
      chip: points ? (CHIPS[i] ?? null) : null,
      rank: state === "settled" ? i + 1 : null,
      prize: state === "settled" && i === 0 ? 450 : null,
    };
  });
/** The one among them that the player of the pictures is in, as the player alone is told it. */
export function ownLeague(leagues: readonly object[]) {
  const own = (leagues as { users: { fplId: string }[] }[]).find(({ users }) => users.some(({ fplId }) => fplId === "4242"));
  return { league: own ? { ...own, own: true } : null, place: null, fplId: own ? "4242" : null };
}
export const leagues = (state: string) =>
  [2, 1, 3].map((number) => ({
    _id: `l${number}`,
    number,
    state,
    status: { provisional: null, drawn: number === 2 ? "live" : "provisional", settled: "final" }[state],
    asOf: state === "drawn" ? "2026-08-22T14:58:00Z" : null,
    users:
      number === 2 ? users(state) : users(state).slice(0, 7).map((u) => ({ ...u, fplId: `9${u.fplId}${number}` })),
  }));
