/** Pages of a player's own account, loaded together: each of them alone would cost the first page a line. */
export { AccountPage } from "./AccountPage";
export { CasePage } from "./CasePage";
export { CasesPage } from "./CasesPage";
export { InvitePage } from "./InvitePage";
export { LimitsPage } from "./LimitsPage";
export { NotificationsPage } from "./NotificationsPage";
export { TeamPage } from "./TeamPage";
