import { api } from "../../api/client";
import { answerOf, explain, Refusal } from "../../api/refusal";
import { msg } from "../../lib/i18n";

/** Closes the account. Answers when what is personal goes, or why it stays open. */
export async function closeAccount(password: string, code: string): Promise<{ erasedAt: string } | { error: string; codeWanted: boolean }> {
  try {
    return await answerOf(api.POST("/api/me/closure", { body: { password, code: code || null } }));
  } catch (error) {
    const failed = msg("Your account could not be closed just now. Please try again.");
    return {
      error: explain(error, { refused: failed, failed }),
      codeWanted: error instanceof Refusal && (error.code === "code_wanted" || error.code === "wrong_code"),
    };
  }
}
