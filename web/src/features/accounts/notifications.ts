/** What a player has set about being told of things. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "../../api/client";
import { answerOf, explain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

export type NotificationSettings = Schemas["NotificationSettings"];
export type NotificationChange = Schemas["NotificationChange"];
export type Channel = "push" | "mail";

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/me/notifications", { signal })),
});

export const setNotifications = (change: Partial<NotificationChange>) =>
  answerOf(api.PUT("/api/me/notifications", { body: { push: {}, mail: {}, ...change } }));

/** The kinds that there are, in the order of a gameweek. */
export const KINDS = ["deadline", "drawn", "final", "prize", "payment", "withdrawal", "security"] as const;
export type Kind = (typeof KINDS)[number];

/** What each is, as the person reads it. */
export const meaningOf = (kind: Kind): string =>
  ({
    deadline: msg("The deadline is in three hours, and I am not in (only after my first league)"),
    drawn: msg("The league that I am drawn into"),
    final: msg("The final points, and my place"),
    prize: msg("I have won a prize"),
    payment: msg("A payment has come to my wallet, was rejected, or was corrected"),
    withdrawal: msg("A withdrawal is paid or rejected"),
    security: msg("Something about my account’s safety"),
  })[kind];

/** What comes by mail only if it is asked for: the rest always does, or never. */
export const isMailedIfAsked = (kind: Kind, settings: NotificationSettings) => kind in settings.mail;

/** Stops the mails of a kind, by the link in one of them. */
export async function stopMails(token: string): Promise<{ kind: string } | { error: string }> {
  try {
    return await answerOf(api.POST("/api/unsubscribe/{token}", { params: { path: { token } } }));
  } catch (error) {
    return { error: explain(error, { refused: msg("Invalid or expired link."), failed: msg("It could not be stopped just now. Please try again.") }) };
  }
}
