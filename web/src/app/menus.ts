/** Where the menu of the bar leads, for a guest and for a player. */
import type { MenuItem } from "../components/Menu";

const CONTACT: MenuItem = { to: "/contact", name: "Contact" };

export const GUESTS_MENU: readonly MenuItem[] = [{ to: "/payment", name: "Main page" }, CONTACT];
export const PLAYERS_MENU: readonly MenuItem[] = [{ to: "/payment", name: "Main page" }, CONTACT];
