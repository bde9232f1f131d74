/** A player's own account: sessions, what is held, notifications, limits. */
const SESSIONS = [
  { _id: "5e1", beganAt: "2026-08-20T09:00:00Z", lastUsedAt: "2026-08-22T06:00:00Z", system: "Android", browser: "Chrome", current: true },
  { _id: "5e2", beganAt: "2026-08-12T17:30:00Z", lastUsedAt: "2026-08-19T20:10:00Z", system: "Windows", browser: "Firefox", current: false },
  { _id: "5e3", beganAt: "2026-08-10T08:00:00Z", lastUsedAt: "2026-08-10T08:00:00Z", system: "", browser: "", current: false },
];
const OWN_DATA = {
  asOf: "2026-08-22T06:00:00Z",
  items: [
    { kind: "USER#/PROFILE", key: "PROFILE", what: { username: "wanjiru", email: "wanjiru@example.co.ke", fplId: 118670 } },
    { kind: "USER#/POST#", key: "POST#entry#2026-01", what: { cause: "entry#2026-01", amount: -50, at: "2026-08-20T09:00:00Z" } },
    { kind: "AUDIT#", key: "1", what: { what: "update-player", reason: "Asked for by the player." } },
  ],
};
const NOTIFICATIONS = {
  language: "en",
  push: { deadline: true, payment: false, drawn: true, final: true, prize: true, withdrawal: true, security: true },
  mail: { deadline: false, drawn: true, final: false },
  subscriptions: [],
  pushKey: "04",
};
const limit = (name: string, amount: number | null, used: number, change: object = {}) => ({
  limit: name,
  amount,
  used,
  left: amount === null ? null : Math.max(0, amount - used),
  next: "2026-08-24",
  raise: null,
  ...change,
});
const LIMITS = {
  limits: [
    limit("deposit-day", null, 200),
    limit("deposit-week", 500, 200, { raise: { to: 1000, confirmFrom: "2026-08-21T06:00:00Z" } }),
    limit("deposit-month", 2000, 910),
    limit("entry-day", null, 50),
    limit("entry-week", 300, 50),
    limit("entry-month", null, 350),
    limit("loss-month", 400, -100),
  ],
  month: { paidIn: 910, staked: 350, refunded: 50, won: 450, takenOut: 60 },
};

const ABOUT = {
  _id: "c1",
  userId: "u1",
  username: "wanjiru",
  about: { kind: "league", id: "2026-02-50-00002" },
  known: { state: "settled", amount: 50, receipt: null, at: null, league: "2026-02-50-00002", settledAt: "2026-08-18T08:00:00Z" },
  state: "answered",
  openedAt: "2026-08-19T06:00:00Z",
  since: "2026-08-19T09:30:00Z",
  ageHours: 20,
  reason: null,
};
/** What a player has told us is wrong, and one of it with its messages. */
const CASES = [
  ABOUT,
  {
    ...ABOUT,
    _id: "c2",
    about: { kind: "payment", id: "deposit#1" },
    known: { ...ABOUT.known, state: "success", amount: 910, receipt: "TGL7RT61SV", league: null, settledAt: null },
    state: "open",
    ageHours: 51,
  },
];
const CASE = {
  ...ABOUT,
  thread: [
    { by: "player", text: "My team has 82 points in the official game.\nHere it has 78.", at: "2026-08-19T06:00:00Z", closes: null },
    { by: "admin", text: "Four points were deducted for a transfer, as in every league of this gameweek.", at: "2026-08-19T09:30:00Z", closes: null },
  ],
};
const STATEMENT = {
  year: 2026,
  username: "wanjiru",
  asOf: "2026-08-22T06:00:00Z",
  opening: 0,
  paidIn: 910,
  excise: 0,
  staked: -50,
  givenBack: 0,
  won: 450,
  takenOut: -60,
  reversed: 0,
  notCovered: 0,
  corrected: 0,
  debtsPaid: 0,
  closing: 1250,
  withheld: 3,
  entries: 1,
};

/** By call. */
export const OWN_ACCOUNT = {
  "GET /api/me/notifications": NOTIFICATIONS,
  "GET /api/me/sessions": SESSIONS,
  "GET /api/me/data": OWN_DATA,
  "GET /api/me/limits": LIMITS,
  "GET /api/cases": CASES,
  "GET /api/admin/cases": CASES,
  "GET /api/cases/c1": CASE,
  "GET /api/me/statement": STATEMENT,
};
