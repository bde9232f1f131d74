import type { Language } from "../lib/language";
import { api } from "./client";

/** Mails and pushes come in the language that a player reads here; nothing waits for that. */
export const tellLanguage = (language: Language) =>
  void api.PUT("/api/me/notifications", { body: { push: {}, mail: {}, language } }).catch(console.error);
