import type { Page } from "@playwright/test";
import type { Answers } from "./answers";
import { said } from "./in-language";

export type Screen = {
  name: string;
  path: string;
  as?: "player" | "admin";
  answers?: Answers;
  /** There is a win that this player was not told of. */
  news?: boolean;
  /** A file that does not come. */
  lost?: string;
  /** What the browser says it runs on. */
  phone?: "Android" | "iPhone";
  /** What to do before it is looked at, and what shows that it is there. */
  act?: (page: Page) => Promise<void>;
  shows: string | RegExp;
};

export const click = (name: string) => (page: Page) => page.getByRole("button", { name: said(name), exact: true }).click();

/** Where somebody shows that money or a team is theirs. */
export const OF_THE_OWNER: Screen[] = [
  { name: "cancel-withdrawal", path: "/cancel-withdrawal/abc", shows: "Cancel this withdrawal" },
  {
    name: "cancel-withdrawal-done",
    path: "/cancel-withdrawal/abc",
    act: click("Cancel this withdrawal"),
    shows: "It is not paid: the money has come back.",
  },
  { name: "team", path: "/team", as: "player", shows: "BCDF2345" },
  {
    name: "team-proved",
    path: "/team",
    as: "player",
    act: click("It is in the name: look now"),
    shows: /is yours: you have proved it/,
  },
];
