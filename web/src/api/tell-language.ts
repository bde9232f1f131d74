import { forgetUntold, untoldLanguage } from "../lib/language";
import { api } from "./client";
import { answerOf } from "./refusal";

/** Mails and pushes come in the language that a player reads here; nothing waits for that, and what fails is told at the next log-in. */
export function tellLanguage() {
  const language = untoldLanguage();
  if (language) void answerOf(api.PUT("/api/me/notifications", { body: { push: {}, mail: {}, language } })).then(forgetUntold, console.error);
}
