/** Where the menu of the bar leads, for a guest and for a player. */
import type { MenuItem } from "../components/Menu";

const MAIN: MenuItem = { to: "/payment", name: "Main page" };
const LEAGUES: MenuItem = { to: "/leagues", name: "Leagues" };
const NEWS: MenuItem = { to: "/gameweek", name: "Gameweek news" };
const CONTACT: MenuItem = { to: "/contact", name: "Contact" };

export const GUESTS_MENU: readonly MenuItem[] = [
  { to: "/login", name: "Log in" },
  { to: "/register", name: "Create an account" },
  MAIN,
  LEAGUES,
  NEWS,
  CONTACT,
];
export const PLAYERS_MENU: readonly MenuItem[] = [
  MAIN,
  LEAGUES,
  { to: "/entries", name: "My entries" },
  { to: "/transactions", name: "Transactions" },
  { to: "/withdrawals", name: "Withdrawals" },
  CONTACT,
];
