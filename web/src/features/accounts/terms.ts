/** The terms that the player has agreed to, and agreeing to those in force. */
import type { QueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { userQuery } from "../../api/queries";
import { answerOf, explain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

type Terms = Schemas["Terms"];

const hasAgreed = ({ agreed, current }: Terms): boolean => agreed.some(({ version }) => version === current);

/** Whether the terms in force are still to be agreed to: by players, and by whoever plays where nothing is entered before. */
export const mustAgree = ({ role, terms }: Schemas["User"]): boolean => (role === "player" || terms.required) && !hasAgreed(terms);

/** Agrees to a version. Answers why not, where it is so. */
export async function agree(client: QueryClient, version: string): Promise<string | undefined> {
  try {
    const terms = await answerOf(api.POST("/api/me/terms", { body: { version } }));
    client.setQueryData(userQuery.queryKey, (user) => user && { ...user, terms });
    return undefined;
  } catch (error) {
    const failed = msg("This could not be noted just now. Please try again.");
    return explain(error, { refused: failed, failed });
  }
}
