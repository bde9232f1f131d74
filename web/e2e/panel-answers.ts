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
};
