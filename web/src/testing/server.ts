/** The API as the tests' browser sees it: an open gameweek, a player with KSh 500, nobody in a league. */
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import type { Schemas } from "../api/client";
import { currentSession } from "../lib/session";

export const ORIGIN = location.origin;
export const url = (path: string) => `${ORIGIN}${path}`;

export const GAMEWEEK = {
  isOpen: true,
  season: 2026,
  gameweek: 3,
  deadline: "2026-08-22T10:30:00Z",
  now: "2026-08-20T09:00:00Z",
  state: "open",
  feePercent: 10,
  deductTransferPoints: true,
  amounts: [
    { entryAmount: 50, entries: 7, fullLeaguePrize: 450 },
    { entryAmount: 100, entries: 0, fullLeaguePrize: 900 },
    { entryAmount: 250, entries: 1, fullLeaguePrize: 2250 },
  ],
} satisfies Schemas["GameweekStatus"];

export const USER = {
  _id: "u1",
  username: "wanjiru",
  wallet: 500,
  owed: 0,
  fplId: "4242",
  needsTeam: false,
  email: "wanjiru@example.com",
  role: "player",
  suspended: false,
  hasLimits: false,
  stopped: null,
  ageProofWanted: false,
  terms: { agreed: [{ version: "2026-08-01", at: "2026-08-20T09:00:00Z" }], current: "2026-08-01", required: false },
  paybill: { number: "174379", account: "5720014" },
} satisfies Schemas["User"];

/** Of who has set no limit. */
export const LIMITS = {
  limits: (["deposit-day", "deposit-week", "deposit-month", "entry-day", "entry-week", "entry-month", "loss-month"] as const).map((limit) => ({
    limit,
    amount: null,
    used: 0,
    left: null,
    next: "2026-08-21",
    raise: null,
  })),
  month: { paidIn: 0, staked: 0, refunded: 0, won: 0, takenOut: 0 },
} satisfies Schemas["OwnLimits"];

export const SETTINGS = {
  paybillNumber: "174379",
  minimumWithdrawal: 60,
  maximumTransaction: 250_000,
  safeguards: "light",
  promotions: true,
  helpline: "Made-up helpline, 0800 000 000",
  terms: "2026-08-01",
  withholdingPercent: null,
  excisePercent: null,
} satisfies Schemas["PublicSettings"];

/** The open gameweek: nobody can be paid yet. */
export const PREVIEW = {
  season: 2026,
  gameweek: 3,
  state: "open",
  refused: "Gameweek 3 is still open.",
  feePercent: 10,
  leagues: 0,
  settled: 0,
  waiting: 0,
  unread: 0,
  collected: 0,
  fee: 0,
  toPay: 0,
  amounts: [],
  waitingLeagues: [],
} satisfies Schemas["WinnersPreview"];

export const SWITCHES = {
  entries: { paused: false },
  payouts: { paused: false },
  deductTransferPoints: true,
} satisfies Schemas["SwitchesView"];

/** The player is in this league, with this team. */
export const playsIn = (league: Schemas["LeagueView"], fplId = USER.fplId) =>
  http.get(url("/api/me/league"), () => json({ league: { ...league, own: true }, place: null, fplId }));

export const told = (status: number, message: string) => HttpResponse.json({ message }, { status });
/** No answer comes at all. */
export const noAnswer = () => HttpResponse.error() as HttpResponse<null>;
export const json = HttpResponse.json.bind(HttpResponse);

export const server = setupServer(
  http.post(url("/refresh"), () => json({ accessToken: "token-2" })),
  http.post(url("/logout"), () => json({})),
  http.get(url("/current-gameweek"), () => json({ currentGameweek: 3 })),
  http.get(url("/api/gameweek/status"), () => json(GAMEWEEK)),
  http.get(url("/api/user"), () => json({ ...USER, role: currentSession()?.role ?? USER.role })),
  http.get(url("/api/users/:id/wallet"), () => json({ wallet: USER.wallet })),
  http.get(url("/api/settings"), () => json(SETTINGS)),
  http.get(url("/api/leagues"), () => json([])),
  http.get(url("/api/me/league"), () => json({ league: null, place: null, fplId: null })),
  http.get(url("/api/gameweeks"), () => json([])),
  http.get(url("/api/admin/switches"), () => json(SWITCHES)),
  http.get(url("/api/admin/backlog"), () => json({ calendarReadAt: null, queues: [], failedEvents: 0 })),
  http.get(url("/api/admin/books"), () => json({ accounts: [], days: [], payouts: { paused: false }, reversals: [] })),
  http.get(url("/api/admin/winners"), () => json(PREVIEW)),
  http.get(url("/api/admin/gameweeks"), () => json([])),
  http.get(url("/api/admin/set-asides"), () => json([])),
  http.get(url("/api/admin/approvals"), () => json([])),
  http.get(url("/api/admin/leagues/waiting"), () => json({ waiting: [], corrected: [], moreCorrected: 0 })),
  http.get(url("/api/manual-payment/pending"), () => json([])),
  http.get(url("/api/admin/cases"), () => json([])),
  http.get(url("/api/cases"), () => json([])),
  http.get(url("/api/influencers"), () => json([])),
  http.get(url("/api/me/payments"), () => json([])),
  http.get(url("/api/me/limits"), () => json(LIMITS)),
  http.get(url("/api/me/transactions"), () => json([])),
  http.get(url("/api/me/entries"), () => json({ entries: [], profitAndLoss: 0 })),
  http.get(url("/api/withdraw"), () => json([])),
);
