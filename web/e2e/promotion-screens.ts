/** What visitors see of winners, and winners of their win: with the operator's leave, and without. */
import { CLOSED } from "./answers";
import { click, type Screen } from "./owner-screens";

export const OF_PROMOTIONS: Screen[] = [
  { name: "first-page", path: "/", shows: "Gameweek 2 paid KSh 12,330" },
  { name: "first-page-closed", path: "/", answers: { status: CLOSED, promotions: false }, shows: /^The deadline was/ },
  { name: "win", path: "/payment", as: "player", news: true, shows: "You won KSh 450" },
  { name: "win-share", path: "/entries", as: "player", act: click("Share the win of gameweek 2"), shows: "Save the picture" },
  { name: "invite", path: "/invite", as: "player", shows: "Send it by WhatsApp" },
  { name: "invite-off", path: "/invite", as: "player", answers: { promotions: false }, shows: "There are no invitations at present." },
  { name: "win-no-share", path: "/entries", as: "player", answers: { promotions: false }, shows: "Won KSh 450" },
];
