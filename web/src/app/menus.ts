/** Where the menu of the bar leads, for a guest, a player and an admin. */
import type { MenuItem } from "../components/Menu";
import type { Session } from "../lib/session";

const MAIN: MenuItem = { to: "/payment", name: "Main page" };
const LEAGUES: MenuItem = { to: "/leagues", name: "Leagues" };
const NEWS: MenuItem = { to: "/gameweek", name: "Gameweek news" };
const CONTACT: MenuItem = { to: "/contact", name: "Contact" };

const GUESTS_MENU: readonly MenuItem[] = [
  { to: "/login", name: "Log in" },
  { to: "/register", name: "Create an account" },
  MAIN,
  LEAGUES,
  NEWS,
  CONTACT,
];
const PLAYERS_MENU: readonly MenuItem[] = [
  MAIN,
  LEAGUES,
  { to: "/entries", name: "My entries" },
  { to: "/transactions", name: "Transactions" },
  { to: "/withdrawals", name: "Withdrawals" },
  { to: "/notifications", name: "Notifications" },
  CONTACT,
];

export function menuOf(session: Session | null): readonly MenuItem[] {
  if (!session) return GUESTS_MENU;
  return session.role === "admin" ? [{ to: "/panel", name: "Admin panel" }, ...PLAYERS_MENU] : PLAYERS_MENU;
}
