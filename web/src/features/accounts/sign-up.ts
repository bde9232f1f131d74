import { api } from "../../api/client";
import { answerOf, explain } from "../../api/refusal";
import { badPasswordIn } from "./passwords";
import { isVersion } from "./terms-versions";
import { language, msg } from "../../lib/i18n";

/** `proveTeam`: without a team, where it is linked to another account; the player proves it then. */
export type NewAccount = { email: string; username: string; password: string; fplId: string; ref?: string; proveTeam?: true };
/** What can be somebody's already and is said to be: of an email it is not told. */
export type Taken = { username: boolean; fplId: boolean };
/** `badPassword`: what the server has against the password, for its field; `newerTerms`: this build does not have them. */
export type Registered = { done: true } | { badPassword: string } | { taken: Taken } | { newerTerms: true } | { error: string };

/** Where the spec only stops the loading, the player is told (docs/departures.md). */
const exists = () => msg("These details are already registered. Log in, or reset your password.");

export async function register(account: NewAccount): Promise<Registered> {
  try {
    const { terms } = await answerOf(api.GET("/api/settings"));
    if (!isVersion(terms)) return { newerTerms: true };
    const body = { ...account, over18: true, terms, language: language() };
    const call = api.POST("/api/signup", { body, parseAs: "text" });
    const { response } = await call;
    if (response.status === 409) return takenIn(response.headers.get("x-taken"));
    return (await answerOf(call)) === "notexist" ? { done: true } : { error: exists() };
  } catch (error) {
    const badPassword = badPasswordIn(error);
    if (badPassword) return { badPassword };
    const noAnswer = msg("Server error. Please try again later.");
    return { error: explain(error, { refused: noAnswer, failed: noAnswer }) };
  }
}

function takenIn(named: string | null): Registered {
  const fields = named?.split(",") ?? [];
  const taken = { username: fields.includes("username"), fplId: fields.includes("fplId") };
  return taken.username || taken.fplId ? { taken } : { error: exists() };
}
