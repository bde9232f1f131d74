/** A player's own link, and how it is sent on. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";
import { msg, str } from "../../lib/i18n";

export const invitationQuery = queryOptions({
  queryKey: ["invitation"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/invitation", { signal })),
});

export type Came = Omit<Schemas["Invitation"], "link">;

const FIRST = 5;
const atLeast = (count: number) => (count < FIRST ? msg(str`fewer than ${FIRST}`) : msg(str`${count} or more`));

/** What came of it, as it is told: in fives. */
export const cameOf = ({ visits, signUps, payingPlayers }: Came) =>
  [
    [msg("Visits"), atLeast(visits)],
    [msg("New accounts"), atLeast(signUps)],
    [msg("Of these have joined a league"), atLeast(payingPlayers)],
  ] as const;

const words = () => msg("Play Fantasy Premier League in weekly leagues of ten with me, at FPL Leagues. 18 or older.");

export const messageOf = (link: string) => `${words()} ${link}`;

/** Opens the phone's own sheet. `false`: it did not open. */
export async function share(link: string): Promise<boolean> {
  try {
    await navigator.share({ text: words(), url: link });
    return true;
  } catch (error) {
    // Who closes the sheet has changed their mind.
    if (error instanceof DOMException && error.name === "AbortError") return true;
    console.error(error);
    return false;
  }
}
