/** What visitors see of winners: with the operator's leave, and without. */
import { CLOSED } from "./answers";
import { click, type Screen } from "./owner-screens";

export const OF_PROMOTIONS: Screen[] = [
  { name: "first-page", path: "/", shows: "Gameweek 2 paid KSh 12,330" },
  { name: "first-page-closed", path: "/", answers: { status: CLOSED, promotions: false }, shows: /^The deadline was/ },
];
