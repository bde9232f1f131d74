import type { Session } from "../lib/session";

/** Where somebody who is logged in begins (spec §2). */
export const homeOf = (session: Session) => (session.role === "admin" ? "/panel" : "/payment");
