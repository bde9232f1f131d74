import { forgetUntold, untoldLanguage } from "../lib/language";
import { quietFetch } from "./authed-fetch";
import { api } from "./client";
import { answerOf } from "./refusal";

/** Mails and pushes come in the language that a player reads here; nothing waits for that, and what fails is told at the next start or log-in. */
export function tellLanguage() {
  const language = untoldLanguage();
  if (!language) return;
  const body = { push: {}, mail: {}, language };
  void answerOf(api.PUT("/api/me/notifications", { body, fetch: quietFetch })).then(forgetUntold, console.error);
}
