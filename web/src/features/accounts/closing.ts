import { api } from "../../api/client";
import { answerOf, asksForCode, explain, isCertain } from "../../api/refusal";
import { msg } from "../../lib/i18n";

/** Closes the account. Answers when what is personal goes, or why it stays open. */
export async function closeAccount(password: string, code: string): Promise<{ erasedAt: string } | { error: string; codeWanted: boolean }> {
  try {
    return await answerOf(api.POST("/api/me/closure", { body: { password, code: code || null } }));
  } catch (error) {
    const refused = msg("Your account could not be closed just now. Please try again.");
    const perhapsClosed = msg("No clear answer came. Your account may be closed already. Please try again: if it is, you are logged out.");
    return {
      error: isCertain(error) ? explain(error, { refused, failed: perhapsClosed }) : perhapsClosed,
      codeWanted: asksForCode(error),
    };
  }
}
