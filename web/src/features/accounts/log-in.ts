import { api } from "../../api/client";
import { answerOf, Refusal, saidIn } from "../../api/refusal";
import { tellLanguage } from "../../api/tell-language";
import { startSession, type Session } from "../../lib/session";
import { msg } from "../../lib/i18n";

/** Who came in, the text that tells why nobody did (spec §8), or that a code has to be shown as well. */
export type LoggedIn = { session: Session } | { error: string } | { needsCode: string };

const rejected = () => ({ error: msg("Invalid email or password. Please try again.") });
const noAnswer = () => ({ error: msg("Server error. Please try again later.") });

/** `code`: of an admin's authenticator app, or a recovery code, once it was asked for. */
export async function logIn(email: string, password: string, code?: string): Promise<LoggedIn> {
  try {
    const call = api.POST("/api/login", { body: { email, password, ...(code && { totp: code }) } });
    const { error: refused } = await call;
    if (refused && "status" in refused && refused.status === "totp") return { needsCode: saidIn(refused) ?? refused.message };
    const answer = await answerOf(call);
    if (answer.status !== "exist") return rejected();
    const { accessToken: token, _id: userId, username, fplId, role } = answer;
    const session: Session = { token, userId, username, fplId, role, email: answer.email };
    startSession(session);
    tellLanguage();
    import("./phone").then(({ goOn }) => goOn()).catch((error: unknown) => console.error(error));
    return { session };
  } catch (error) {
    if (!(error instanceof Refusal)) return noAnswer();
    if (error.status === 401 || error.status === 400) return rejected();
    // Frozen: what to do about it.
    if (error.status === 403 && error.said) return { error: error.said };
    // Too many tries: the server says when the next one counts.
    if (error.status === 429) return { error: error.said ?? msg("Too many tries. Please wait a few minutes.") };
    return noAnswer();
  }
}
