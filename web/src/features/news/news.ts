/** The six cards of the news page. They are about every gameweek, so that they never go stale. */
import type { ComponentType } from "react";
import { Bench, Calendar, Captain, Deadline, Final, Transfers } from "./illustrations";
import { msg } from "../../lib/i18n";

export type NewsItem = { id: string; image: ComponentType; title: string; summary: string };

export const news = (): readonly NewsItem[] => [
  {
    id: "deadline",
    image: Deadline,
    title: msg("The deadline comes before the first match"),
    summary:
      msg("Entries close at the official deadline, not at kick-off. M-Pesa is busy at weekends: join early, or keep money in your wallet."),
  },
  {
    id: "captain",
    image: Captain,
    title: msg("Your captain counts twice"),
    summary: msg("Pick a captain who plays. The vice-captain takes over only if the captain does not play at all."),
  },
  {
    id: "transfers",
    image: Transfers,
    title: msg("Extra transfers cost points"),
    summary:
      msg("Transfers beyond your free ones are taken off your gameweek points. While the deduction is on, your league counts what is left."),
  },
  {
    id: "bench",
    image: Bench,
    title: msg("The bench breaks ties"),
    summary:
      msg("With equal points, more points on the bench win. A Bench Boost plays your bench, so it leaves nothing there. Still equal: the prize is shared."),
  },
  {
    id: "doubles",
    image: Calendar,
    title: msg("Doubles and blanks"),
    summary: msg("Some gameweeks have clubs that play twice, or not at all. Look at the fixtures before you use a chip."),
  },
  {
    id: "final",
    image: Final,
    title: msg("Points move until they are final"),
    summary:
      msg("Bonus points and corrections come after the last match. Prizes are paid on the official final figures, never on live ones."),
  },
];
