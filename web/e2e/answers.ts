/** What the screens are shown over: one gameweek as a player and an admin would find it. */
import type { Page } from "@playwright/test";
import { OWN_ACCOUNT } from "./account-answers";
import { DRAW } from "./draw-answers";
import { leagues, NAMES, ownLeague } from "./league-answers";
import { PANEL, tablePage } from "./panel-answers";
import { oneLeague, team } from "./pitch-answers";
import { refusal } from "./refusals";
import { BALANCE_PROOF, TRUST } from "./trust-answers";

export const OPEN = {
  isOpen: true,
  gameweek: 3,
  deadline: "2026-08-22T10:30:00Z",
  now: "2026-08-20T06:12:00Z",
  state: "open",
  feePercent: 10,
  deductTransferPoints: true,
  amounts: [
    { entryAmount: 50, entries: 27, fullLeaguePrize: 450 },
    { entryAmount: 100, entries: 4, fullLeaguePrize: 900 },
    { entryAmount: 250, entries: 0, fullLeaguePrize: 2250 },
  ],
};
export const PAUSED = { ...OPEN, notice: "Entries are paused just now. Your money is safe. Please try again later." };
export const LATE = { ...OPEN, now: "2026-08-22T10:28:45Z" };
export const CLOSED = { ...OPEN, isOpen: false, state: "closed", now: "2026-08-22T15:00:00Z", nextOpensBy: "2026-08-27T10:30:00Z" };

export const withdrawal = (id: string, username: string, amount: number, status = "pending") => ({
  _id: id,
  userId: id,
  username,
  mpesaNumber: "254712345678",
  amount,
  status,
  createdAt: "2026-08-23T07:40:00Z",
  flagged: false,
  flags: [] as string[],
});

/** What the link in the mail about a withdrawal to a new number is about. */
const ASKED = { amount: 450, mpesaNumber: "07******78", status: "pending", payout: null, createdAt: "2026-08-23T07:40:00Z", waitsUntil: "2026-08-24T07:40:00Z", cancellable: true };

/** A code that is to be in a team's name. */
const PROOF = { fplId: "118670", proved: false, code: "BCDF2345", teamName: "Nairobi Rangers", expiresAt: "2026-08-24T07:40:00Z" };

const entry = (gameweek: string, change: object) => ({
  gameweek,
  season: Number(gameweek.slice(0, 4)),
  number: Number(gameweek.slice(5)),
  amount: 50,
  league: null,
  rank: null,
  points: null,
  prize: 0,
  refund: 0,
  at: "2026-08-20T06:00:00Z",
  ...change,
});
const ENTRIES = {
  entries: [
    entry("2026-03", { line: `${"0198c6f8".repeat(4)} 118670 ${"60303ae2".repeat(8)}` }),
    entry("2026-02", { league: "2026-02-50-00002", rank: 1, points: 78, prize: 450 }),
    entry("2026-01", { amount: 250, league: "2026-01-250-00001", rank: 4, points: 40 }),
  ],
  profitAndLoss: 100,
};
const posting = (_id: string, kind: string, amount: number, balanceAfter: number, receipt: string | null = null) => ({
  _id,
  kind,
  amount,
  balanceAfter,
  receipt,
  at: "2026-08-20T06:00:00Z",
});
const TRANSACTIONS = [
  posting("4", "withdrawal", -60, 1250),
  posting("3", "prize", 450, 1310),
  posting("2", "entry", -50, 860),
  posting("1", "deposit", 910, 910, "TGL7RT61SV"),
];
const prompt = (checkoutId: string, change: object) => ({
  checkoutId,
  amount: 50,
  entryAmount: 50,
  at: "2026-08-20T06:00:00Z",
  entered: false,
  ...change,
});
export const PROMPTS = [
  prompt("1", { state: "SUCCESS", entered: true }),
  prompt("2", { state: "SUCCESS", amount: 200, entryAmount: null }),
  prompt("3", { state: "FAILED", reason: "Request cancelled by user." }),
  prompt("4", { state: "PENDING" }),
  prompt("5", { state: "SUCCESS", reason: "The deadline has passed." }),
];

const PAYMENTS = [
  {
    _id: "m1",
    userId: "u7",
    username: "otieno",
    mpesaCode: "TGN7RT61SV",
    status: "pending",
    createdAt: "2026-08-22T14:20:00Z",
    warning: "The date in this code is three days before it was typed.",
    waitsBecause: "The payer's number is none that this player has paid from before.",
    known: {
      source: "status",
      completed: true,
      toUs: true,
      amount: 500,
      payerName: "OTIENO OKOTH",
      payerPhone: "0712345678",
      accountReference: "FPL Leagues",
      at: "2026-08-22T14:21:00Z",
    },
    prompts: [{ checkoutId: "c9", userId: "u7", amount: 500, state: "PENDING", at: "2026-08-22T14:10:00Z", holdsBack: true }],
  },
  {
    _id: "m2",
    userId: "u8",
    username: "achieng_ke",
    mpesaCode: "TGN8KQ20XA",
    status: "pending",
    createdAt: "2026-08-22T14:40:00Z",
    prompts: [],
  },
];
const influencer = (name: string, code: string, visits: number, signUps: number, payingPlayers: number) => ({
  name,
  code,
  referralLink: `https://fplleagues.example/ref/${code}`,
  visits,
  signUps,
  payingPlayers,
  createdAt: "2026-08-10T08:00:00Z",
});
const INFLUENCERS = [influencer("Mwalimu FPL", "7kq2m9x4ab", 312, 40, 18), influencer("Nairobi Gooners", "p0c4d8v1zz", 95, 7, 2)];

const place = (rank: number, username: string, gross: number, transfersCost: number, prize = 0) => ({
  rank,
  username,
  fplId: `${rank}${username}`,
  gross,
  transfersCost,
  points: gross - transfersCost,
  pointsOnBench: 12 - rank,
  prize,
  refund: 0,
});
const SETTLEMENT = {
  league: "2026-03-50-00002",
  basis: "two-readings",
  at: "2026-08-25T08:00:00Z",
  deductTransferPoints: true,
  collected: 350,
  fee: 35,
  feePercent: 10,
  rounding: 1,
  figuresHash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  ranking: [
    place(1, "wanjiru", 82, 4, 157),
    place(1, "otieno", 78, 0, 157),
    place(3, "achieng_ke", 71, 8),
    place(4, "kamau254", 60, 0),
    place(5, "njeri", 60, 4),
  ],
};
const week = (number: number, state: string) => ({ season: 2026, number, state, deadline: OPEN.deadline, amounts: [] });
/** The last one that was paid, with what it drew. */
const PAID_WEEK = {
  ...week(2, "settled"),
  drawnAt: "2026-08-15T10:42:00Z",
  settledAt: "2026-08-18T08:00:00Z",
  prizes: 12330,
  amounts: [
    { entryAmount: 50, entries: 214, leagues: 22 },
    { entryAmount: 100, entries: 30, leagues: 3 },
    { entryAmount: 250, entries: 0, leagues: 0 },
  ],
};
const PAID_LEAGUE = {
  ...SETTLEMENT,
  league: "2026-02-50-00001",
  collected: 500,
  fee: 50,
  rounding: 0,
  ranking: [
    ...[place(1, "wanjiru", 82, 4, 450), place(2, "otieno", 74, 0), place(3, "achieng_ke", 71, 8)],
    ...NAMES.slice(2, 9).map((name, i) => place(i + 4, name, 60 - i, 0)),
  ],
};

export type Answers = {
  /** The player has an entry into this gameweek. */
  joined?: boolean;
  needsTeam?: boolean;
  /** The player has agreed to no terms yet. */
  termsAsked?: boolean;
  /** Whether the operator lets the pages advertise. */
  promotions?: boolean;
  suspended?: boolean;
  /** Has limits of their own. */
  limited?: boolean;
  /** Has excluded themself. */
  stopped?: boolean;
  draw?: object;
  gameweeks?: object[];
  prompts?: object[];
  withdrawals?: object[];
  status?: object;
  leagues?: object[];
  wallet?: number;
  owed?: number;
  /** The log-in asks for a code. */
  needsCode?: boolean;
  others?: Record<string, unknown>;
  /** Calls that are refused, with what the server says. */
  refused?: Record<string, string>;
};

/** Answers every call of the app in the browser, to an account of this role. */
export async function answer(page: Page, answers: Answers = {}, role: "player" | "admin" = "player") {
  const { status = OPEN, leagues: list = leagues("provisional"), wallet = 1250 } = answers;
  const table: Record<string, unknown> = {
    "POST /refresh": { accessToken: "t2" },
    "GET /current-gameweek": { currentGameweek: 3 },
    "GET /api/gameweek/status": status,
    "GET /api/user": {
      username: "wanjiru",
      wallet,
      owed: answers.owed ?? 0,
      fplId: "4242",
      email: "wanjiru@example.com",
      needsTeam: answers.needsTeam ?? false,
      role,
      suspended: answers.suspended ?? false,
      hasLimits: answers.limited ?? false,
      stopped: answers.stopped ? { kind: "exclusion", until: "2027-02-20T06:12:00Z" } : null,
      ageProofWanted: false,
      terms: { agreed: answers.termsAsked ? [] : [{ version: "2026-08-01", at: "2026-08-20T09:00:00Z" }], current: "2026-08-01", required: false },
      paybill: { number: "174379", account: "5720014" },
    },
    "GET /api/users/u1/wallet": { wallet, owed: answers.owed ?? 0 },
    "GET /api/settings": {
      paybillNumber: "174379",
      safeguards: "light",
      promotions: answers.promotions ?? true,
      helpline: "Made-up helpline, 0800 000 000",
      terms: "2026-08-01",
      minimumWithdrawal: 60,
      maximumTransaction: 250000,
    },
    "POST /api/manual-payment": { _id: "m1", message: "Success wallet updated shortly" },
    "GET /api/leagues": list,
    "GET /api/me/league": ownLeague(list),
    "GET /api/gameweeks": answers.gameweeks ?? [week(3, "closed"), PAID_WEEK, week(1, "settled")],
    "GET /api/gameweeks/3/draw": answers.draw ?? DRAW,
    "GET /api/leagues/2026-03-50-00002/settlement": SETTLEMENT,
    "GET /api/leagues/2026-02-50-00001/settlement": PAID_LEAGUE,
    ...PANEL,
    "GET /api/admin/leagues/waiting": {
      waiting: [
        {
          _id: "2026-03-50-00002",
          gameweek: 3,
          season: 2026,
          entryAmount: 50,
          why: "Team 118670: it has no official score for this gameweek.",
          since: "2026-08-20T09:00:00Z",
          decidableFrom: "2026-08-21T09:00:00Z",
          decisions: ["own-figures", "refund", "leave-out"],
          teams: [{ username: "otieno", fplId: "118670", own: null, official: null }],
        },
      ],
      corrected: [{ _id: "2026-02-50-00001", what: "Team 5: 61 points (7 on the bench), paid on 60 (7)." }],
      moreCorrected: 0,
    },
    "GET /api/manual-payment/pending": PAYMENTS,
    "GET /api/influencers": INFLUENCERS,
    "GET /api/me/invitation": { link: "https://fplleagues.example/ref/7kq2m9x4ab", visits: 15, signUps: 10, payingPlayers: 5 },
    "POST /api/influencer/create": INFLUENCERS[0],
    "PUT /api/withdraw/w1": {},
    "GET /api/me/entries": answers.joined ? ENTRIES : { ...ENTRIES, entries: ENTRIES.entries.slice(1) },
    "GET /api/me/transactions": TRANSACTIONS,
    "GET /api/trust": TRUST,
    "GET /api/me/proof": BALANCE_PROOF,
    ...OWN_ACCOUNT,
    "POST /api/unsubscribe/abc": { kind: "drawn" },
    "GET /api/me/payments": answers.prompts ?? [],
    "GET /api/withdraw": answers.withdrawals ?? [
      { ...withdrawal("w1", "wanjiru", 450), flagged: true, flags: ["new-number", "never-played"], waitsUntil: "2026-08-24T07:40:00Z", recipientName: "WANJIRU MWANGI" },
      { ...withdrawal("w4", "otieno", 900), payout: "sent" },
      withdrawal("w2", "kamau254", 60), withdrawal("w3", "njeri", 2250)],
    "POST /api/deposits": { success: true, checkoutId: "c1", message: "Check your phone to complete the payment" },
    "GET /api/deposits/status": { status: "PENDING" },
    "POST /api/pay": { success: true, checkoutId: "c1", message: "Prompt sent" },
    "GET /api/pay/status": { success: true, status: "PENDING" },
    "POST /api/withdraw": { message: "ok", walletBalance: 1190 },
    "POST /api/gameweek/process-winners": {
      message: "Paying the winners of gameweek 3.",
      gameweek: 3,
      season: 2026,
      state: "settling",
      leagues: 31,
      settled: 12,
      waiting: 0,
      toPay: 8550,
    },
    "POST /api/forgot-password": { message: "If the email exists, a reset link has been sent." },
    "POST /api/reset-password/abc": { message: "Password has been reset successfully." },
    "GET /api/cancel-withdrawal/abc": ASKED,
    "GET /api/user/team/proof": PROOF,
    "POST /api/user/team/proof/check": { ...PROOF, code: null, proved: true },
    "POST /api/cancel-withdrawal/abc": { ...ASKED, status: "rejected", cancellable: false },
    "POST /api/points/toggle-deduction": { deductTransferPoints: false },
    ...answers.others,
  };
  await page.route(/\/(api\/|refresh$|logout$|current-gameweek$)/, async (route) => {
    const request = route.request();
    const { pathname: path, searchParams } = new URL(request.url());
    const one = searchParams.get("league");
    if (path === "/api/leagues" && one) return route.fulfill({ json: oneLeague(list, Number(one)) });
    if (searchParams.get("team")) {
      return route.fulfill({ json: { points: 61, status: "live", team: team(Number(path.split("/").pop())) } });
    }
    // Every other player's points are known; one cannot be had.
    if (path.startsWith("/api/points/")) {
      const id = Number(path.split("/").pop());
      if (id === 4236) return route.fulfill({ status: 503, json: { message: "not now" } });
      const points = id % 2 ? 70 - (id % 7) : null;
      return route.fulfill({ json: { points, points_on_bench: points && (id % 5), status: points && "live" } });
    }
    if (path.startsWith("/api/admin/exports/")) return route.fulfill(tablePage(request.url()));
    if (path.startsWith("/api/admin/approvals/")) {
      return route.fulfill({ status: 403, json: { stepUp: true, message: "Enter the code from your authenticator app." } });
    }
    if (answers.needsCode && path === "/api/login") return route.fulfill({ status: 401, json: { status: "totp", message: "Enter the code." } });
    const refused = answers.refused?.[`${request.method()} ${path}`];
    if (refused) return route.fulfill(refusal(refused));
    const known = table[`${request.method()} ${path}`];
    if (known === undefined) return route.fulfill({ status: 500, json: { message: "no answer for this in the pictures" } });
    return route.fulfill({ json: known });
  });
}

/** `news`: there is a win that this player was not told of. */
export async function logInAs(page: Page, role: "player" | "admin", news = false) {
  await page.addInitScript((who) => {
    for (const [key, value] of Object.entries(who)) localStorage.setItem(key, value);
  }, { token: "t1", userId: "u1", username: "wanjiru", fplId: "4242", email: "wanjiru@example.com", role, ...(!news && { "decided:u1": "2026-03,2026-02" }) });
}
