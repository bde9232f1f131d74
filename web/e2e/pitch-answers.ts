/** Teams on the pitch: what one league and one team answer while matches are on. */

type Listed = { number: number; users: { fplId: string }[] };

const CAPTAINS = ["Haaland", "Saka", "M.Salah", "Palmer", "B.Fernandes"];

/** A league by its number, with captains and how many are still to come. */
export const oneLeague = (leagues: readonly object[], number: number) =>
  (leagues as Listed[])
    .filter((league) => league.number === number)
    .map((league) => ({
      ...league,
      playing: true,
      users: league.users.map((user, i) => ({
        ...user,
        captain: CAPTAINS[i % CAPTAINS.length],
        played: 3 + (i % 4),
        playing: i % 3,
        left: 8 - (i % 4) - (i % 3),
      })),
    }));

const minutes = (count: number) => ({ what: "minutes", count, points: count >= 60 ? 2 : 1 });
const SQUAD: [name: string, club: string, position: number, points: number, stage: string, more?: object][] = [
  ["Raya", "ARS", 1, 7, "played", { why: [minutes(90), { what: "clean_sheets", count: 1, points: 4 }, { what: "saves", count: 3, points: 1 }] }],
  ["Alexander-Arnold", "LIV", 2, 1, "playing"],
  ["Gvardiol", "MCI", 2, -1, "playing", { why: [minutes(90), { what: "goals_conceded", count: 4, points: -2 }, { what: "yellow_cards", count: 1, points: -1 }] }],
  ["Muñoz", "CRY", 2, 0, "left"],
  ["Dorgu", "MUN", 2, 6, "played", { cameFor: 113 }],
  ["Saka", "ARS", 3, 13, "playing", { captain: true, multiplier: 2, provisionalBonus: 3, why: [minutes(71), { what: "goals_scored", count: 2, points: 10 }, { what: "other", count: 1, points: 1 }] }],
  ["Palmer", "CHE", 3, 5, "played", { viceCaptain: true }],
  ["Mbeumo", "MUN", 3, 2, "played"],
  ["Kudus", "TOT", 3, 0, "left"],
  ["Haaland", "MCI", 4, 9, "playing", { provisionalBonus: 2 }],
  ["Wood", "NFO", 4, 0, "blank"],
  ["Pickford", "EVE", 1, 3, "played", { multiplier: 0 }],
  ["Van Hecke", "BHA", 2, 0, "played", { multiplier: 0, why: [] }],
  ["Szoboszlai", "LIV", 3, 2, "playing", { multiplier: 0 }],
  ["Strand Larsen", "WOL", 4, 0, "left", { multiplier: 0 }],
];

/** A team of fifteen; an odd number of the official game has others in a few places. */
export function team(fplId: number) {
  const players = SQUAD.map(([name, club, position, points, stage, more], i) => ({
    id: 101 + i,
    name,
    club,
    position,
    points,
    stage,
    multiplier: 1,
    captain: false,
    viceCaptain: false,
    provisionalBonus: 0,
    cameFor: null,
    why: stage === "left" || stage === "blank" ? [] : [minutes(90), { what: "bonus", count: points - 2, points: points - 2 }],
    ...more,
  }));
  const mine = fplId === 4242 ? { 5: { id: 306, name: "M.Salah", club: "LIV", points: 2 }, 9: { id: 310, name: "Isak", club: "NEW", stage: "left", points: 0, why: [] } } : {};
  return { playing: true, players: players.map((player, i) => ({ ...player, ...(mine as Record<number, object>)[i] })) };
}
