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

/** A first page of a table; the second one fails. */
export function tablePage(url: string) {
  if (new URL(url).searchParams.has("cursor")) return { status: 503, json: { message: "Please try again in a moment." } };
  const rows = "2026-08-08T08:00:00Z,entry,-50\r\n".repeat(1000);
  return { body: `at,kind,amount\r\n${rows}`, headers: { "x-next-cursor": "p2" }, contentType: "text/csv" };
}

export const PANEL = {
  "GET /api/admin/switches": SWITCHES,
  "PUT /api/admin/switches": SWITCHES,
  "GET /api/admin/audit": AUDIT,
  "GET /api/admin/set-asides": SET_ASIDES,
  "GET /api/admin/winners": PREVIEW,
};
