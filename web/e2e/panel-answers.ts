/** What the panel's further screens are shown over. */

const SWITCHES = {
  entries: { paused: false },
  payouts: {
    paused: true,
    by: "reconciliation",
    since: "2026-08-20T00:30:00Z",
    reason: "The wallet of a player does not agree with its postings.",
  },
  deductTransferPoints: true,
};
const act = (_id: string, what: string, on: string, change: object) => ({
  _id,
  at: "2026-08-20T06:00:00Z",
  by: "admin",
  byId: "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f",
  byName: "achieng",
  what,
  on,
  ...change,
});
const AUDIT = [
  act("a1", "update-withdrawal", "withdrawal 0198c6f8d1b87a3c9f5e2b7a4c1d0e6f", {
    before: "pending",
    after: "rejected, KSh 60",
    reason: "The number is not registered for M-Pesa.",
  }),
  act("a2", "confirm-manual-payment", "manual payment 0198c6f8d1b87a3c9f5e2b7a4c1d0e70", { before: "pending", after: "confirmed, KSh 500" }),
  act("a3", "set-switches", "payouts", { by: "reconciliation", byId: null, byName: null, after: "paused", reason: "The wallet of a player does not agree with its postings." }),
];

const heard = (kind: string, text: string, times = 1) => ({
  kind,
  text,
  times,
  firstAt: "2026-08-22T10:20:00Z",
  lastAt: "2026-08-22T10:29:00Z",
});
const SET_ASIDES = [
  {
    _id: "w9",
    kind: "payout",
    userId: "u4",
    username: "kamau254",
    phone: "0722345678",
    amount: 450,
    state: "pending",
    acts: ["paid", "return"],
    reason: "M-Pesa has not answered for a day.",
    mpesaIds: ["AG_20260821_2010"],
    story: [],
    createdAt: "2026-08-21T07:00:00Z",
  },
  {
    _id: "p1",
    kind: "prompt",
    userId: "u7",
    username: "otieno",
    phone: "0712345678",
    amount: 50,
    entryAmount: 50,
    reportedAmount: 60,
    state: "SET_ASIDE",
    acts: ["credit", "dismiss"],
    reason: "M-Pesa reports another amount than was asked for.",
    mpesaIds: ["29115-34620561-1", "ws_CO_191220191020363925"],
    story: [
      heard("intent", "KSh 50 by 0712345678, for an entry of KSh 50"),
      heard("push", "accepted"),
      heard("callback", "ResultCode 0, KSh 60, receipt TGN7RT61SV", 3),
      heard("query", "paid"),
    ],
    createdAt: "2026-08-22T10:20:00Z",
  },
];

const left = { settled: 0, waiting: 0, unread: 0 };
const PREVIEW = {
  gameweek: 3,
  season: 2026,
  state: "final",
  refused: null,
  feePercent: 10,
  leagues: 3,
  ...left,
  waiting: 1,
  collected: 1750,
  fee: 175,
  toPay: 1575,
  amounts: [
    { entryAmount: 50, leagues: 2, ...left, waiting: 1, players: 15, collected: 750, fee: 75, toPay: 675 },
    { entryAmount: 100, leagues: 1, ...left, players: 10, collected: 1000, fee: 100, toPay: 900 },
  ],
  waitingLeagues: [{ _id: "2026-03-50-00002", why: "Team 118670: it has no official score for this gameweek." }],
};

const FORMER = { gameweek: "2025-38", season: 2025, number: 38, deadline: "2026-05-16T10:30:00Z", state: "closed", calledOff: null };
const OWED = [{ ...FORMER, former: true }];
const VOID = { ...FORMER, possibleFrom: "2026-05-23T10:30:00Z", refused: null, leagues: 12, entries: 117, toRefund: 11_700, settled: 1, paid: 450 };

const PLAYER = {
  _id: "u7",
  username: "otieno",
  email: "otieno@example.com",
  fplId: "118670",
  teamName: "Nairobi Rangers",
  role: "player",
  suspended: true,
  frozen: false,
  ageProofWanted: false,
  stoppedUntil: null,
  createdAt: "2026-08-01T08:00:00Z",
};
const FOUND = [PLAYER, { ...PLAYER, _id: "u8", username: "otis_k", email: "otis@example.com", fplId: "220011", suspended: false }];
const moved = (_id: string, kind: string, amount: number, balanceAfter: number, receipt?: string) => ({
  _id,
  kind,
  amount,
  balanceAfter,
  receipt,
  at: "2026-08-20T06:00:00Z",
});
const PROFILE = {
  player: PLAYER,
  season: 2026,
  needsTeam: false,
  wallet: 1310,
  owed: 0,
  phones: ["0712345678", "0110345678"],
  ownNumbers: [{ phone: "0712345678", since: "2026-08-20T06:00:00Z" }],
  paybillAccount: "5720014",
  referral: "7kq2m9x4ab",
  passwordResetAt: "2026-08-19T08:00:00Z",
  unprovedPrizes: [{ league: "2026-03-50-00001", fplId: "118670", left: 450 }],
  prompts: [
    { checkoutId: "6f1e2d3c4b5a69788796a5b4c3d2e1f0", phone: "0712345678", amount: 910, state: "SUCCESS", receipt: "TGL7RT61SV", at: "2026-08-20T06:00:00Z" },
  ],
  sessions: [
    { createdAt: "2026-08-20T06:00:00Z", lastUsedAt: "2026-08-22T06:00:00Z", stands: true },
    { createdAt: "2026-08-02T06:00:00Z", lastUsedAt: "2026-08-03T06:00:00Z", stands: false },
  ],
  acts: [act("b1", "update-player", "player u7", { after: "suspended", reason: "Two accounts." })],
  transactions: [moved("3", "prize", 450, 1310), moved("2", "entry", -50, 860), moved("1", "deposit", 910, 910, "TGL7RT61SV")],
  entries: {
    profitAndLoss: 400,
    entries: [
      {
        gameweek: "2026-02",
        season: 2026,
        number: 2,
        amount: 50,
        prize: 450,
        refund: 0,
        rank: 1,
        points: 78,
        league: "2026-02-50-00002",
        at: "2026-08-14T06:00:00Z",
      },
    ],
  },
};

/** Two months of weeks: entries before a deadline, prizes after it. */
const days = Array.from({ length: 60 }, (_, i) => {
  const week = i % 7;
  const [deposits, entries] = [400 + 350 * week, week > 3 ? 900 * (week - 2) : 200];
  const collected = week === 2 ? 9000 : 0;
  return {
    day: new Date(Date.UTC(2026, 5, 22 + i)).toISOString().slice(0, 10),
    deposits,
    entries,
    prizes: (collected * 9) / 10,
    fees: collected / 10,
    rounding: week === 2 ? 1 : 0,
    withdrawals: week === 3 ? 5400 : 120,
    refunds: week === 1 ? 50 : 0,
  };
});
const BOOKS = {
  asOf: "2026-08-20T21:00:00Z",
  accounts: [
    { name: "fees", amount: 8100 },
    { name: "mpesa:in", amount: -96250 },
    { name: "mpesa:out", amount: 51300 },
    { name: "pot:2026-03", amount: 1750 },
    { name: "rounding", amount: 9 },
    { name: "wallets", amount: 34641 },
    { name: "withdrawals", amount: 450 },
  ],
  days,
  payouts: SWITCHES.payouts,
  reversals: [
    {
      receipt: "TGL7RT61SV",
      userId: "u7",
      username: "otieno",
      amount: 20_000,
      fromWallet: 5000,
      owed: 15_000,
      lost: 0,
      at: "2026-08-20T19:31:00Z",
    },
  ],
  report: {
    day: "2026-08-20",
    startedAt: "2026-08-20T21:10:00Z",
    finishedAt: "2026-08-20T21:12:00Z",
    wallets: 137,
    moving: 0,
    found: 1,
    differences: [{ kind: "wallet", text: "A wallet is not what its postings say.", on: "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f", expected: 500, found: 450 }],
    pausedPayouts: true,
    setAside: 60,
    setAsides: 1,
    unclaimed: 500,
    unclaimedPayments: 1,
    float: { said: "differs", cents: 4_495_000, changeCents: 135_000, expectedChangeCents: 140_000 },
  },
};

/** Squares in the manner of a QR code. */
const squares = Array.from({ length: 33 * 33 }, (_, i) => ((i * 7919) % 5 < 2 ? `M${i % 33} ${Math.floor(i / 33)}h1v1h-1z` : "")).join("");
const ENROLMENT = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/FPL%20Leagues:admin-0198c6f8",
  qrSvg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33"><path d="${squares}"/></svg>`,
};

/** A first page of a table; the second one fails. */
export function tablePage(url: string) {
  if (new URL(url).searchParams.has("cursor")) return { status: 503, json: { message: "Please try again in a moment." } };
  const rows = "2026-08-08T08:00:00Z,entry,-50\r\n".repeat(1000);
  return { body: `at,kind,amount\r\n${rows}`, headers: { "x-next-cursor": "p2" }, contentType: "text/csv" };
}

const PROPOSAL = {
  _id: "a1",
  state: "waiting",
  message: "Another admin has to approve this.",
  inWords: "Pay the withdrawal of KSh 15,000 by M-Pesa",
  number: "0712345678",
  what: "pay-withdrawal",
  on: "withdrawal 0198c6f8d1b87a3c9f5e2b7a4c1d0e6f",
  userId: "u7",
  username: "otis_k",
  amount: 15_000,
  reason: null,
  why: "It is above the amount that one admin may move alone.",
  proposedBy: "u9",
  proposedByName: "wanjiku_admin",
  proposedAt: "2026-08-20T09:00:00Z",
  expiresAt: "2026-08-23T09:00:00Z",
  decidedByName: null,
  decidedAt: null,
  decisionReason: null,
};
const APPROVALS = [
  PROPOSAL,
  { ...PROPOSAL, _id: "a2", inWords: "Credit KSh 250,000 for a typed code: NLJ7RT61SV", what: "confirm-manual-payment", amount: 250_000, state: "refused", decidedByName: "second-admin", decisionReason: "The portal does not show it." },
  { ...PROPOSAL, _id: "a3", inWords: "Credit KSh 15,000 for what was set aside", what: "decide-set-aside", state: "expired", reason: "Seen in M-Pesa's portal, paid on Saturday evening." },
];

export const PANEL = {
  "GET /api/admin/approvals": APPROVALS,
  "GET /api/admin/switches": SWITCHES,
  "PUT /api/admin/switches": SWITCHES,
  "GET /api/admin/audit": AUDIT,
  "GET /api/admin/set-asides": SET_ASIDES.map(({ story, ...item }) => item),
  "GET /api/admin/set-asides/w9": SET_ASIDES[0],
  "GET /api/admin/set-asides/p1": SET_ASIDES[1],
  "GET /api/admin/backlog": {
    calendarReadAt: "2026-08-20T08:58:00Z",
    queues: [
      { name: "mails", waiting: 12, failed: 0 },
      { name: "payments", waiting: 0, failed: 2 },
    ],
    failedEvents: 1,
  },
  "GET /api/admin/books": BOOKS,
  "GET /api/admin/totp": { enrolled: false, recoveryCodesLeft: 0 },
  "POST /api/admin/totp": ENROLMENT,
  "POST /api/admin/totp/confirm": { recoveryCodes: Array.from({ length: 10 }, (_, i) => `k3m${i}q-7xw${i}a`) },
  "GET /api/admin/players": FOUND,
  "GET /api/admin/players/u7": PROFILE,
  "GET /api/admin/winners": PREVIEW,
  "GET /api/admin/gameweeks": OWED,
  "GET /api/admin/gameweeks/2025-38/void": VOID,
};
