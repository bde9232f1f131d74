import type { Schemas } from "../src/api/client";

/** Two wallets by the example of docs/trust.md, with the figures of an installation around them. */
const ROOT = {
  asOf: "2026-08-23T21:00:00Z",
  hash: "4199aafc8120807d86872da4b1afd3569ac827ef9042e0fec71bdf5d310aabbe",
  sum: 150,
  wallets: 2,
} satisfies Schemas["PublishedRoot"];

export const TRUST: Schemas["TrustReport"] = {
  asOf: ROOT.asOf,
  leastPlayers: 5,
  sums: {
    wallets: 412_350,
    booked: 437_300,
    mpesa: { at: "2026-08-23T20:50:00Z", cents: 43_718_050, differenceCents: 2_483_050, allAccounts: true },
    lines: [
      { what: "pots", text: "Entries of gameweeks that are not paid out yet", cents: 2_000_000 },
      { what: "withdrawals", text: "Withdrawals under way: out of the wallet, not yet paid by M-Pesa", cents: 360_000 },
      { what: "operator", text: "The operator's fees and remainders", cents: 135_000 },
      { what: "not-booked", text: "What is in no books", cents: -11_950 },
    ],
  },
  differences: 0,
  gameweeks: [
    { gameweek: "2026-03", entries: 301, staked: 15_050, prizes: 0, fees: 0, rounding: 0, settled: false, medianPayoutMinutes: null },
    { gameweek: "2026-02", entries: 274, staked: 13_700, prizes: 12_330, fees: 1370, rounding: 0, settled: true, medianPayoutMinutes: 45 },
    { gameweek: "2026-01", entries: 127, staked: 6350, prizes: 5713, fees: 634, rounding: 3, settled: true, medianPayoutMinutes: null },
  ],
  gameweeksLeftOut: 1,
  draws: [{ gameweek: "2026-02", command: "cargo run -p local -- verify-draw 2026-02 https://fplleagues.example" }],
  root: ROOT,
  formerRoots: [{ ...ROOT, asOf: "2026-08-22T21:00:00Z", hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }],
};

export const BALANCE_PROOF: Schemas["BalanceProof"] = {
  asOf: ROOT.asOf,
  userId: "a".repeat(32),
  balance: 150,
  nonce: "01".repeat(32),
  position: 0,
  count: 2,
  leaf: "7d06227cbccfac7e8e06ee41c194614f9096773e5a144e675c6cf7ae1dea4448",
  steps: [
    {
      sibling: { hash: "6f849c3eb7fea0bc9e2e5e29ed715bdb5fedb45bb6797649bd50339b9e65d9d1", sum: 0 },
      above: { hash: ROOT.hash, sum: ROOT.sum },
    },
  ],
  root: ROOT,
};
