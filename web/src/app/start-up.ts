/** The silent refresh of the start (spec §2), begun before anything is drawn. Never rejects. */
import { refreshSession, type Refreshed } from "../api/refresh";

export const startUp = (): Promise<Refreshed> => refreshSession();
