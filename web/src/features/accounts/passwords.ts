import { api } from "../../api/client";
import { answered, answerOf, explain, isCertain, Refusal } from "../../api/refusal";
import { msg } from "../../lib/i18n";

/** What to show after a link was asked for or a password set (spec §8). */
export type Said = { done: string } | { error: string };

export async function askForLink(email: string): Promise<Said> {
  const wrong = msg("Something went wrong. Please try again.");
  try {
    const answer = await answerOf(api.POST("/api/forgot-password", { body: { email } }));
    return { done: answered(answer.message, msg("If the email exists, a reset link has been sent.")) };
  } catch (error) {
    return { error: explain(error, { refused: wrong, failed: wrong }) };
  }
}

/** What a refusal has against the password that was typed, where that is what it is about. */
export const badPasswordIn = (error: unknown) =>
  error instanceof Refusal && error.status === 400 && /\bpassword\b/i.test(error.told ?? "") ? error.said : null;

export const badLink = () => msg("Invalid or expired token.");

/** Sets a new password by the token of a link that was mailed. */
export async function resetPassword(token: string, newPassword: string): Promise<Said | { badPassword: string }> {
  try {
    const answer = await answerOf(
      api.POST("/api/reset-password/{token}", { params: { path: { token } }, body: { newPassword } }),
    );
    return { done: answered(answer.message, msg("Password has been reset successfully.")) };
  } catch (error) {
    const badPassword = badPasswordIn(error);
    if (badPassword) return { badPassword };
    // The link is good once: tried again it may be refused because the first try was taken.
    const perhapsSet = msg("No clear answer came. Your new password may be set already: try to log in with it.");
    return { error: isCertain(error) ? explain(error, { refused: badLink(), failed: perhapsSet }) : perhapsSet };
  }
}
