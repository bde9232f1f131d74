/** A member's team on the pitch. */
import type { Page } from "@playwright/test";
import { CLOSED } from "./answers";
import { said } from "./in-language";
import { leagues } from "./league-answers";
import type { Screen } from "./owner-screens";

/** Opens the team of otieno, and then what is named. */
const open =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    await page.getByRole("button", { name: /^(Team of|Timu ya) otieno:/ }).first().click();
    for (const name of names) await page.getByRole("dialog").getByRole("button", { name: typeof name === "string" ? said(name) : name }).first().click();
  };

const screens: Pick<Screen, "name" | "act" | "shows">[] = [
  { name: "pitch", act: open(), shows: "Tap a player to see where the points come from." },
  { name: "pitch-why", act: open(/^Saka/), shows: "Playing now. 3 bonus as it stands, not counted yet." },
  { name: "pitch-beside-mine", act: open(/^Saka/, "Beside mine"), shows: /^You need \d+ more points to pass otieno\.$/ },
];

export const ON_THE_PITCH: Screen[] = screens.map((screen) => ({
  ...screen,
  path: "/leagues",
  as: "player",
  answers: { status: CLOSED, leagues: leagues("drawn") },
}));
