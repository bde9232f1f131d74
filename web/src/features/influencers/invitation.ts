/** A player's own link, and how it is sent on. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf } from "../../api/refusal";

export const invitationQuery = queryOptions({
  queryKey: ["invitation"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/invitation", { signal })),
});

export type Came = Omit<Schemas["Invitation"], "link">;

const FIRST = 5;
const atLeast = (count: number) => (count < FIRST ? `fewer than ${FIRST}` : `${count} or more`);

/** What came of it, as it is told: in fives. */
export const cameOf = ({ visits, signUps, payingPlayers }: Came) =>
  [
    ["Visits", atLeast(visits)],
    ["New accounts", atLeast(signUps)],
    ["Of these have joined a league", atLeast(payingPlayers)],
  ] as const;

const WORDS = "Play Fantasy Premier League in weekly leagues of ten with me, at FPL Leagues. 18 or older.";

export const messageOf = (link: string) => `${WORDS} ${link}`;

/** Opens the phone's own sheet. */
export async function share(link: string) {
  try {
    await navigator.share({ text: WORDS, url: link });
  } catch (error) {
    // Who closes the sheet has changed their mind.
    if (error instanceof DOMException && error.name === "AbortError") return;
    console.error(error);
  }
}
