/** The silent refresh of the start (spec §2), begun before anything is drawn; then what a session has not been told. Never rejects. */
import { refreshSession, type Refreshed } from "../api/refresh";
import { tellLanguage } from "../api/tell-language";
import { currentSession } from "../lib/session";

export const startUp = (): Promise<Refreshed> => refreshSession().finally(() => currentSession() && tellLanguage());
