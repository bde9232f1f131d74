/** The main page in each state of a player's gameweek, and leagues as they were settled. */
import { CLOSED, OPEN } from "./answers";
import { leagues } from "./league-answers";
import type { Screen } from "./owner-screens";

const ENTRY = { gameweek: "2026-03", season: 2026, number: 3, amount: 50, league: null, rank: null, points: null, prize: 0, refund: 0, at: "2026-08-20T05:00:00Z" };
const WAITING = { checkoutId: "c9", amount: 50, entryAmount: 50, entryGameweek: 3, state: "PENDING", entered: false, at: "2026-08-20T06:11:30Z" };
const SETTLING = { ...CLOSED, state: "settling", now: "2026-08-25T12:00:00Z" };
const DRAWN = { league: "2026-03-50-00002" };

/** The newest entry, with what came of it; its win was told before. */
const decided = (change: object) => ({ status: SETTLING, others: { "GET /api/me/entries": { entries: [{ ...ENTRY, ...DRAWN, ...change }], profitAndLoss: 0 } } });
const settledOn = (status: string | null, change: object) => ({
  status: CLOSED,
  leagues: leagues("settled").map((league) => ({ ...league, status, users: league.users.map((user) => ({ ...user, ...change })) })),
});

export const OF_THE_STANDING: Screen[] = [
  {
    name: "payment-waiting",
    path: "/payment",
    as: "player",
    answers: { others: { "GET /api/me/payments": [WAITING], "GET /api/me/entries": { entries: [], profitAndLoss: 0 } } },
    shows: "Waiting for M-Pesa: KSh 50.",
  },
  {
    name: "payment-too-late",
    path: "/payment",
    as: "player",
    answers: { status: CLOSED, others: { "GET /api/me/payments": [WAITING], "GET /api/me/entries": { entries: [], profitAndLoss: 0 } } },
    shows: /\. If it was paid, the money comes to your wallet\.$/,
  },
  {
    name: "payment-not-deducted",
    path: "/payment",
    as: "player",
    answers: { status: { ...OPEN, deductTransferPoints: false } },
    shows: "Points that extra transfers cost are not deducted this gameweek.",
  },
  {
    name: "payment-playing",
    path: "/payment",
    as: "player",
    answers: { status: CLOSED, others: { "GET /api/me/entries": { entries: [{ ...ENTRY, ...DRAWN }], profitAndLoss: 0 } } },
    shows: /^You are playing/,
  },
  { name: "payment-won", path: "/payment", as: "player", answers: decided({ rank: 1, points: 78, prize: 450 }), shows: /^You won KSh.450/ },
  { name: "payment-lost", path: "/payment", as: "player", answers: decided({ rank: 4, points: 61 }), shows: /^No prize: rank 4/ },
  {
    name: "payment-refunded",
    path: "/payment",
    as: "player",
    answers: decided({ league: null, refund: 50, refundReason: "You were the only one who had joined." }),
    shows: /^Refunded KSh.50/,
  },
  {
    name: "payment-last-week",
    path: "/payment",
    as: "player",
    answers: { others: { "GET /api/me/entries": { entries: [{ ...ENTRY, ...DRAWN, number: 2, rank: 4, points: 61, at: "2026-08-14T05:00:00Z" }], profitAndLoss: 0 } } },
    shows: /^Gameweek 2: No prize: rank 4/,
  },
  {
    name: "leagues-two-in-play",
    path: "/leagues",
    as: "player",
    answers: { others: { "GET /api/me/entries": { entries: [ENTRY, { ...ENTRY, number: 2, gameweek: "2026-02", league: "2026-02-50-00002", at: "2026-08-14T05:00:00Z" }], profitAndLoss: 0 } } },
    shows: /^Gameweek 2: You are playing/,
  },
  {
    name: "leagues-settled",
    path: "/leagues",
    as: "player",
    answers: { status: CLOSED, leagues: leagues("settled") },
    shows: "won KSh 450",
  },
  {
    name: "leagues-refunded",
    path: "/leagues",
    as: "player",
    answers: settledOn(null, { rank: null, points: null, points_on_bench: null, gross: null, chip: null, prize: null, refund: 50 }),
    shows: "refunded KSh 50",
  },
  { name: "leagues-own-figures", path: "/leagues", as: "player", answers: settledOn("provisional", { status: "provisional" }), shows: "won KSh 450" },
];
