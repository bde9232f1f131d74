/** Where the links in mails lead, loaded together. */
export { CancelWithdrawalPage } from "./CancelWithdrawalPage";
export { UnsubscribePage } from "./UnsubscribePage";
