/** What a player's money has done, loaded together. */
export { EntriesPage } from "./EntriesPage";
export { StatementPage } from "./StatementPage";
export { TransactionsPage } from "./TransactionsPage";
export { WithdrawalsPage } from "./WithdrawalsPage";
