/** Where the menu of the bar leads, for a guest, a player and an admin. */
import type { MenuItem } from "../components/Menu";
import type { Session } from "../lib/session";
import { msg } from "../lib/i18n";

const main = (): MenuItem => ({ to: "/payment", name: msg("Main page") });
const leagues = (): MenuItem => ({ to: "/leagues", name: msg("Leagues") });
const contact = (): MenuItem => ({ to: "/contact", name: msg("Contact") });

const guestsMenu = (): readonly MenuItem[] => [
  { to: "/login", name: msg("Log in") },
  { to: "/register", name: msg("Create an account") },
  main(),
  leagues(),
  { to: "/gameweek", name: msg("Gameweek news") },
  contact(),
];
const playersMenu = (): readonly MenuItem[] => [
  main(),
  leagues(),
  { to: "/entries", name: msg("My entries") },
  { to: "/transactions", name: msg("Transactions") },
  { to: "/withdrawals", name: msg("Withdrawals") },
  { to: "/notifications", name: msg("Notifications") },
  { to: "/account", name: msg("My account") },
  { to: "/limits", name: msg("Limits and breaks") },
  contact(),
];

export function menuOf(session: Session | null): readonly MenuItem[] {
  if (!session) return guestsMenu();
  return session.role === "admin" ? [{ to: "/panel", name: msg("Admin panel") }, ...playersMenu()] : playersMenu();
}
