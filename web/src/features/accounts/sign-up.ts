import { api } from "../../api/client";
import { answerOf, explain, Refusal } from "../../api/refusal";
import { badPasswordIn } from "./passwords";
import { msg } from "../../lib/i18n";

/** `proveTeam`: without a team, where it is linked to another account; the player proves it then. */
export type NewAccount = { email: string; username: string; password: string; fplId: string; ref?: string; proveTeam?: true };
/** `badPassword`: what the server has against the password, for its field. */
/** `taken`: email, name or team are somebody's; which one is not told. */
export type Registered = { done: true } | { badPassword: string } | { error: string; taken?: true };

/** Where the spec only stops the loading, the player is told (docs/departures.md). */
const taken = () => ({ error: msg("These details are already registered. Log in, or reset your password."), taken: true }) as const;

export async function register(account: NewAccount): Promise<Registered> {
  try {
    const { terms } = await answerOf(api.GET("/api/settings"));
    const answer = await answerOf(api.POST("/api/signup", { body: { ...account, over18: true, terms }, parseAs: "text" }));
    return answer === "notexist" ? { done: true } : taken();
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return taken();
    const badPassword = badPasswordIn(error);
    if (badPassword) return { badPassword };
    const noAnswer = msg("Server error. Please try again later.");
    return { error: explain(error, { refused: noAnswer, failed: noAnswer }) };
  }
}
