/** Movements of a wallet, as people read them. */
import { msg } from "./i18n";

const names = (): Record<string, string> => ({
  deposit: msg("Deposit by M-Pesa"),
  manual: msg("Top-up by M-Pesa code"),
  paybill: msg("Paid to the paybill"),
  entry: msg("League entry"),
  prize: msg("Prize"),
  refund: msg("Refund"),
  withdrawal: msg("Withdrawal"),
  "withdrawal-done": msg("Withdrawal sent"),
  "withdrawal-rejected": msg("Withdrawal returned"),
  reversal: msg("Taken back by M-Pesa"),
  correction: msg("Correction"),
  "debt-paid": msg("Paid what you owed"),
});

/** What a movement was; one that is newer than this page by the name it has. */
export const nameOfPosting = (kind: string) => names()[kind] ?? kind;
