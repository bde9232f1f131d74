/** The silent refresh of the start (spec section 2). Begun before anything is drawn. */
import { refreshSession } from "../api/refresh";

export const startUp = (): Promise<unknown> => refreshSession();
