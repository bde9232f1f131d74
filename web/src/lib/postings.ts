/** Movements of a wallet, as people read them. */

const NAMES: Record<string, string> = {
  deposit: "Deposit by M-Pesa",
  manual: "Top-up by M-Pesa code",
  paybill: "Paid to the paybill",
  entry: "League entry",
  prize: "Prize",
  refund: "Refund",
  withdrawal: "Withdrawal",
  "withdrawal-done": "Withdrawal sent",
  "withdrawal-rejected": "Withdrawal returned",
  reversal: "Taken back by M-Pesa",
  correction: "Correction",
  "debt-paid": "Paid what you owed",
};

/** What a movement was; one that is newer than this page by the name it has. */
export const nameOfPosting = (kind: string) => NAMES[kind] ?? kind;
